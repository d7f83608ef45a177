from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, BinaryIO, TextIO, TYPE_CHECKING, Generator

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

from ..models.endpoint_event_type import EndpointEventType
from ..types import UNSET, Unset
from typing import cast


T = TypeVar("T", bound="WebhookEndpointRequest")


@_attrs_define
class WebhookEndpointRequest:
    """
    Attributes:
        url (str): The URL that receives events: public, without credentials, at most 2,048 characters.
        event_types (list[EndpointEventType] | Unset): The event types of the endpoint; empty means all except those of
            top-ups and `esim.usage`.
        description (str | Unset): Your description. Default: ''.
        enabled (bool | Unset): Whether events are sent to it. Default: True.
    """

    url: str
    event_types: list[EndpointEventType] | Unset = UNSET
    description: str | Unset = ""
    enabled: bool | Unset = True
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        url = self.url

        event_types: list[str] | Unset = UNSET
        if not isinstance(self.event_types, Unset):
            event_types = []
            for event_types_item_data in self.event_types:
                event_types_item = event_types_item_data.value
                event_types.append(event_types_item)

        description = self.description

        enabled = self.enabled

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "url": url,
            }
        )
        if event_types is not UNSET:
            field_dict["event_types"] = event_types
        if description is not UNSET:
            field_dict["description"] = description
        if enabled is not UNSET:
            field_dict["enabled"] = enabled

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        url = d.pop("url")

        _event_types = d.pop("event_types", UNSET)
        event_types: list[EndpointEventType] | Unset = UNSET
        if _event_types is not UNSET:
            event_types = []
            for event_types_item_data in _event_types:
                event_types_item = EndpointEventType(event_types_item_data)

                event_types.append(event_types_item)

        description = d.pop("description", UNSET)

        enabled = d.pop("enabled", UNSET)

        webhook_endpoint_request = cls(
            url=url,
            event_types=event_types,
            description=description,
            enabled=enabled,
        )

        webhook_endpoint_request.additional_properties = d
        return webhook_endpoint_request

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
