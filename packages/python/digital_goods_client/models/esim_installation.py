from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, BinaryIO, TextIO, TYPE_CHECKING, Generator

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

from ..types import UNSET, Unset
from typing import cast

if TYPE_CHECKING:
    from ..models.esim_installation_links_type_0 import EsimInstallationLinksType0


T = TypeVar("T", bound="EsimInstallation")


@_attrs_define
class EsimInstallation:
    """How a device installs the profile. Keys without the scope `codes` get only the steps.

    Attributes:
        instructions (list[str]): The steps for a person, in their order.
        activation_code (None | str | Unset): The code that installs the profile. Present while the eSIM is delivered
            and not installed, for keys with the scope `codes`; null if it is unreadable.
        links (EsimInstallationLinksType0 | None | Unset): Addresses that open the installation on the device; null if
            the code is unreadable.
    """

    instructions: list[str]
    activation_code: None | str | Unset = UNSET
    links: EsimInstallationLinksType0 | None | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.esim_installation_links_type_0 import EsimInstallationLinksType0  # noqa: PLC0415

        instructions = self.instructions

        activation_code: None | str | Unset
        if isinstance(self.activation_code, Unset):
            activation_code = UNSET
        else:
            activation_code = self.activation_code

        links: dict[str, Any] | None | Unset
        if isinstance(self.links, Unset):
            links = UNSET
        elif isinstance(self.links, EsimInstallationLinksType0):
            links = self.links.to_dict()
        else:
            links = self.links

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "instructions": instructions,
            }
        )
        if activation_code is not UNSET:
            field_dict["activation_code"] = activation_code
        if links is not UNSET:
            field_dict["links"] = links

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.esim_installation_links_type_0 import EsimInstallationLinksType0  # noqa: PLC0415

        d = dict(src_dict)
        instructions = cast(list[str], d.pop("instructions"))

        def _parse_activation_code(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        activation_code = _parse_activation_code(d.pop("activation_code", UNSET))

        def _parse_links(data: object) -> EsimInstallationLinksType0 | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                links_type_0 = EsimInstallationLinksType0.from_dict(data)

                return links_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(EsimInstallationLinksType0 | None | Unset, data)

        links = _parse_links(d.pop("links", UNSET))

        esim_installation = cls(
            instructions=instructions,
            activation_code=activation_code,
            links=links,
        )

        esim_installation.additional_properties = d
        return esim_installation

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
