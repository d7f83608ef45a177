from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, BinaryIO, TextIO, TYPE_CHECKING, Generator

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

from typing import cast


T = TypeVar("T", bound="RedeliverWebhookEventResponse202")


@_attrs_define
class RedeliverWebhookEventResponse202:
    """
    Attributes:
        event_id (str): The id of the event, the same in every attempt.
        endpoint_ids (list[int]): The endpoints that receive it.
    """

    event_id: str
    endpoint_ids: list[int]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        event_id = self.event_id

        endpoint_ids = self.endpoint_ids

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "event_id": event_id,
                "endpoint_ids": endpoint_ids,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        event_id = d.pop("event_id")

        endpoint_ids = cast(list[int], d.pop("endpoint_ids"))

        redeliver_webhook_event_response_202 = cls(
            event_id=event_id,
            endpoint_ids=endpoint_ids,
        )

        redeliver_webhook_event_response_202.additional_properties = d
        return redeliver_webhook_event_response_202

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
