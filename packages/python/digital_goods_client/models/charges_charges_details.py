from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, BinaryIO, TextIO, TYPE_CHECKING, Generator

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

from ..types import UNSET, Unset


T = TypeVar("T", bound="ChargesChargesDetails")


@_attrs_define
class ChargesChargesDetails:
    """The conversion.

    Attributes:
        source_currency (str): The product's currency.
        destination_currency (str): The wallet's currency.
        forex_rate (float | Unset): The exchange rate from the product's currency to the wallet's.
        conversion_fee (float | Unset): The conversion fee in percent of the converted total.
    """

    source_currency: str
    destination_currency: str
    forex_rate: float | Unset = UNSET
    conversion_fee: float | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        source_currency = self.source_currency

        destination_currency = self.destination_currency

        forex_rate = self.forex_rate

        conversion_fee = self.conversion_fee

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "source_currency": source_currency,
                "destination_currency": destination_currency,
            }
        )
        if forex_rate is not UNSET:
            field_dict["forex_rate"] = forex_rate
        if conversion_fee is not UNSET:
            field_dict["conversion_fee"] = conversion_fee

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        source_currency = d.pop("source_currency")

        destination_currency = d.pop("destination_currency")

        forex_rate = d.pop("forex_rate", UNSET)

        conversion_fee = d.pop("conversion_fee", UNSET)

        charges_charges_details = cls(
            source_currency=source_currency,
            destination_currency=destination_currency,
            forex_rate=forex_rate,
            conversion_fee=conversion_fee,
        )

        charges_charges_details.additional_properties = d
        return charges_charges_details

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
