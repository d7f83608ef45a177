from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, BinaryIO, TextIO, TYPE_CHECKING, Generator

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

from typing import cast


T = TypeVar("T", bound="LowBalanceThreshold")


@_attrs_define
class LowBalanceThreshold:
    """
    Attributes:
        low_balance_threshold (float | None): A debit that leaves less than this sends `wallet.low_balance`; null clears
            it.
    """

    low_balance_threshold: float | None
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        low_balance_threshold: float | None
        low_balance_threshold = self.low_balance_threshold

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "low_balance_threshold": low_balance_threshold,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)

        def _parse_low_balance_threshold(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        low_balance_threshold = _parse_low_balance_threshold(d.pop("low_balance_threshold"))

        low_balance_threshold = cls(
            low_balance_threshold=low_balance_threshold,
        )

        low_balance_threshold.additional_properties = d
        return low_balance_threshold

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
