from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, BinaryIO, TextIO, TYPE_CHECKING, Generator

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

from ..types import UNSET, Unset
from typing import cast


T = TypeVar("T", bound="SandboxEsimUse")


@_attrs_define
class SandboxEsimUse:
    """
    Attributes:
        megabytes (int | None | Unset): The megabytes to use. If omitted, the call simulates only the first use, which
            cannot be repeated.
    """

    megabytes: int | None | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        megabytes: int | None | Unset
        if isinstance(self.megabytes, Unset):
            megabytes = UNSET
        else:
            megabytes = self.megabytes

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update({})
        if megabytes is not UNSET:
            field_dict["megabytes"] = megabytes

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)

        def _parse_megabytes(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        megabytes = _parse_megabytes(d.pop("megabytes", UNSET))

        sandbox_esim_use = cls(
            megabytes=megabytes,
        )

        sandbox_esim_use.additional_properties = d
        return sandbox_esim_use

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
