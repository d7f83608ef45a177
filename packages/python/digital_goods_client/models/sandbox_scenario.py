from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, BinaryIO, TextIO, TYPE_CHECKING, Generator

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

from ..models.sandbox_scenario_final_status import SandboxScenarioFinalStatus
from ..models.sandbox_scenario_initial_status import SandboxScenarioInitialStatus
from ..models.sandbox_scenario_method import SandboxScenarioMethod
from ..types import UNSET, Unset
from typing import cast

if TYPE_CHECKING:
    from ..models.sandbox_scenario_body import SandboxScenarioBody
    from ..models.sandbox_scenario_headers import SandboxScenarioHeaders


T = TypeVar("T", bound="SandboxScenario")


@_attrs_define
class SandboxScenario:
    """An order request, and the statuses that its order reaches.

    Attributes:
        name (str): Its name.
        method (SandboxScenarioMethod): The HTTP method.
        path (str): The path.
        body (SandboxScenarioBody): The body of the request.
        initial_status (SandboxScenarioInitialStatus): The state in the response to the order request.
        final_status (SandboxScenarioFinalStatus): The final state of the order.
        headers (SandboxScenarioHeaders | Unset): Headers to send with the request, for a fault. Also send a
            `client_reference` or an `Idempotency-Key`. The statuses are those of the repetition.
        failure_code (str | Unset): Why the order failed, for programs.
    """

    name: str
    method: SandboxScenarioMethod
    path: str
    body: SandboxScenarioBody
    initial_status: SandboxScenarioInitialStatus
    final_status: SandboxScenarioFinalStatus
    headers: SandboxScenarioHeaders | Unset = UNSET
    failure_code: str | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.sandbox_scenario_body import SandboxScenarioBody  # noqa: PLC0415
        from ..models.sandbox_scenario_headers import SandboxScenarioHeaders  # noqa: PLC0415

        name = self.name

        method = self.method.value

        path = self.path

        body = self.body.to_dict()

        initial_status = self.initial_status.value

        final_status = self.final_status.value

        headers: dict[str, Any] | Unset = UNSET
        if not isinstance(self.headers, Unset):
            headers = self.headers.to_dict()

        failure_code = self.failure_code

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "name": name,
                "method": method,
                "path": path,
                "body": body,
                "initial_status": initial_status,
                "final_status": final_status,
            }
        )
        if headers is not UNSET:
            field_dict["headers"] = headers
        if failure_code is not UNSET:
            field_dict["failure_code"] = failure_code

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.sandbox_scenario_body import SandboxScenarioBody  # noqa: PLC0415
        from ..models.sandbox_scenario_headers import SandboxScenarioHeaders  # noqa: PLC0415

        d = dict(src_dict)
        name = d.pop("name")

        method = SandboxScenarioMethod(d.pop("method"))

        path = d.pop("path")

        body = SandboxScenarioBody.from_dict(d.pop("body"))

        initial_status = SandboxScenarioInitialStatus(d.pop("initial_status"))

        final_status = SandboxScenarioFinalStatus(d.pop("final_status"))

        _headers = d.pop("headers", UNSET)
        headers: SandboxScenarioHeaders | Unset
        if isinstance(_headers, Unset):
            headers = UNSET
        else:
            headers = SandboxScenarioHeaders.from_dict(_headers)

        failure_code = d.pop("failure_code", UNSET)

        sandbox_scenario = cls(
            name=name,
            method=method,
            path=path,
            body=body,
            initial_status=initial_status,
            final_status=final_status,
            headers=headers,
            failure_code=failure_code,
        )

        sandbox_scenario.additional_properties = d
        return sandbox_scenario

    @property
    def additional_keys(self) -> list[str]:
        return list(self.additional_properties.keys())

    def __getitem__(self, key: str) -> Any:
        return self.additional_properties[key]

    def __setitem__(self, key: str, value: Any) -> None:
        self.additional_properties[key] = value

    def __delitem__(self, key: str) -> None:
        del self.additional_properties[key]

    def __contains__(self, key: str) -> bool:
        return key in self.additional_properties
