"""The whole catalog, in the order in which it is printed."""

from collections.abc import Callable
from dataclasses import dataclass, field

from errgen.model.body import Response
from errgen.model.codespace import (
    Category,
    Extensions,
    Layer,
    Limits,
    Operation,
    Range,
    RetryPolicy,
)
from errgen.model.errors import ErrorSpec, Reservation, Translation


@dataclass(frozen=True, slots=True)
class Catalog:
    """A whole catalog; errors are ordered by layer, then code."""

    name: str
    version: str
    title: str
    description: str
    docs_url: str | None
    limits: Limits
    layers: tuple[Layer, ...]
    categories: tuple[Category, ...]
    ranges: tuple[Range, ...]
    policies: tuple[RetryPolicy, ...]
    operations: tuple[Operation, ...]
    response: Response | None
    translations: tuple[Translation, ...]
    reserved: tuple[Reservation, ...]
    errors: tuple[ErrorSpec, ...]
    extensions: Extensions = field(default_factory=dict)

    @property
    def errors_by_layer(self) -> tuple[tuple[Layer, tuple[ErrorSpec, ...]], ...]:
        """Return each layer with its errors."""
        return tuple(
            (layer, tuple(error for error in self.errors if error.layer is layer))
            for layer in self.layers
        )

    @property
    def errors_by_category(self) -> tuple[tuple[Category, tuple[ErrorSpec, ...]], ...]:
        """Return each category with its errors."""
        groups: dict[str, list[ErrorSpec]] = {category.name: [] for category in self.categories}
        for error in self.errors:
            groups[error.category.name].append(error)
        return tuple((category, tuple(groups[category.name])) for category in self.categories)

    @property
    def deprecated(self) -> tuple[ErrorSpec, ...]:
        """Return the errors that are no longer to be used."""
        return tuple(error for error in self.errors if error.deprecated)

    @property
    def tags(self) -> tuple[tuple[str, tuple[ErrorSpec, ...]], ...]:
        """Return each tag with its errors, tags in order of the alphabet."""
        names = sorted({tag for error in self.errors for tag in error.tags})
        return tuple(
            (tag, tuple(error for error in self.errors if tag in error.tags)) for tag in names
        )

    @property
    def default_operation(self) -> Operation | None:
        """Return the class of an operation that nobody has classified."""
        return next((operation for operation in self.operations if operation.is_default), None)

    @property
    def safety_net(self) -> Translation | None:
        """Return the translation that makes a tool result of any exception."""
        nets = (item for item in self.translations if item.kind == "exception")
        return next((net for net in nets if net.layer.wire == "mcp-tool-result"), None)

    @property
    def travels(self) -> bool:
        """Tell whether an error has any form in which it leaves the process."""
        return self.response is not None or any(
            layers for wire, layers in self.wires.items() if wire != "body"
        )

    @property
    def retries(self) -> bool:
        """Tell whether any error can be retried."""
        return any(error.retryable is not False for error in self.errors)

    @property
    def wires(self) -> dict[str, tuple[Layer, ...]]:
        """Return the layers whose errors can take each wire form, their own or another that they have facts for."""
        return {
            "body": tuple(layer for layer in self.layers if layer.wire != "jsonrpc-error"),
            "jsonrpc-error": self._layers(
                "jsonrpc-error", lambda error: error.jsonrpc_code is not None
            ),
            "jsonrpc-result": self._layers("jsonrpc-result"),
            "mcp-tool-result": self._layers("mcp-tool-result"),
            "http-problem": self._layers(
                "http-problem", lambda error: error.http_status is not None
            ),
        }

    def _layers(
        self, wire: str, takes: Callable[[ErrorSpec], bool] = lambda _: False
    ) -> tuple[Layer, ...]:
        return tuple(
            layer
            for layer, errors in self.errors_by_layer
            if layer.wire == wire or any(map(takes, errors))
        )
