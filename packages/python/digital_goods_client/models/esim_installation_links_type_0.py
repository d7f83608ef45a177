from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, BinaryIO, TextIO, TYPE_CHECKING, Generator

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset


T = TypeVar("T", bound="EsimInstallationLinksType0")


@_attrs_define
class EsimInstallationLinksType0:
    """Addresses that open the installation on the device; null if the code is unreadable.

    Attributes:
        lpa (str): For programs that handle `LPA:`, and the content of a QR code.
        apple (str): Opens the settings of an iPhone with iOS 17.4 or newer.
        android (str): Opens the settings of an Android phone whose maker supports it.
    """

    lpa: str
    apple: str
    android: str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        lpa = self.lpa

        apple = self.apple

        android = self.android

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "lpa": lpa,
                "apple": apple,
                "android": android,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        lpa = d.pop("lpa")

        apple = d.pop("apple")

        android = d.pop("android")

        esim_installation_links_type_0 = cls(
            lpa=lpa,
            apple=apple,
            android=android,
        )

        esim_installation_links_type_0.additional_properties = d
        return esim_installation_links_type_0

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
