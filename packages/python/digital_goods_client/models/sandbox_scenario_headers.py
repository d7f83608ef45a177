from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, BinaryIO, TextIO, TYPE_CHECKING, Generator

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset


T = TypeVar("T", bound="SandboxScenarioHeaders")


@_attrs_define
class SandboxScenarioHeaders:
    """Headers to send with the request, for a fault. Also send a `client_reference` or an `Idempotency-Key`. The statuses
    are those of the repetition.

        Attributes:
            sandbox_fault (str): The failure of the first request.
    """

    sandbox_fault: str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        sandbox_fault = self.sandbox_fault

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "Sandbox-Fault": sandbox_fault,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        sandbox_fault = d.pop("Sandbox-Fault")

        sandbox_scenario_headers = cls(
            sandbox_fault=sandbox_fault,
        )

        sandbox_scenario_headers.additional_properties = d
        return sandbox_scenario_headers

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
