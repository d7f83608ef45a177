from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, BinaryIO, TextIO, TYPE_CHECKING, Generator

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

from typing import cast
import datetime


T = TypeVar("T", bound="EsimUsage")


@_attrs_define
class EsimUsage:
    """The used data of an eSIM, as its supplier reports it.

    Attributes:
        data_total_mb (float | None): Megabytes of the plan; null if the supplier does not report them.
        data_used_mb (float | None): Used megabytes; null if the supplier does not report them.
        data_left_mb (float | None): Megabytes that are left; null if the supplier does not report them.
        validity_ends_at (datetime.datetime | None): The end of the validity; null before the first use, or if the
            supplier does not report it.
        checked_at (datetime.datetime | None): When the supplier last reported it; null if it has not.
    """

    data_total_mb: float | None
    data_used_mb: float | None
    data_left_mb: float | None
    validity_ends_at: datetime.datetime | None
    checked_at: datetime.datetime | None
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        data_total_mb: float | None
        data_total_mb = self.data_total_mb

        data_used_mb: float | None
        data_used_mb = self.data_used_mb

        data_left_mb: float | None
        data_left_mb = self.data_left_mb

        validity_ends_at: None | str
        if isinstance(self.validity_ends_at, datetime.datetime):
            validity_ends_at = self.validity_ends_at.isoformat()
        else:
            validity_ends_at = self.validity_ends_at

        checked_at: None | str
        if isinstance(self.checked_at, datetime.datetime):
            checked_at = self.checked_at.isoformat()
        else:
            checked_at = self.checked_at

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "data_total_mb": data_total_mb,
                "data_used_mb": data_used_mb,
                "data_left_mb": data_left_mb,
                "validity_ends_at": validity_ends_at,
                "checked_at": checked_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)

        def _parse_data_total_mb(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        data_total_mb = _parse_data_total_mb(d.pop("data_total_mb"))

        def _parse_data_used_mb(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        data_used_mb = _parse_data_used_mb(d.pop("data_used_mb"))

        def _parse_data_left_mb(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        data_left_mb = _parse_data_left_mb(d.pop("data_left_mb"))

        def _parse_validity_ends_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                validity_ends_at_type_0 = datetime.datetime.fromisoformat(data)

                return validity_ends_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        validity_ends_at = _parse_validity_ends_at(d.pop("validity_ends_at"))

        def _parse_checked_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                checked_at_type_0 = datetime.datetime.fromisoformat(data)

                return checked_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        checked_at = _parse_checked_at(d.pop("checked_at"))

        esim_usage = cls(
            data_total_mb=data_total_mb,
            data_used_mb=data_used_mb,
            data_left_mb=data_left_mb,
            validity_ends_at=validity_ends_at,
            checked_at=checked_at,
        )

        esim_usage.additional_properties = d
        return esim_usage

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
