from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, BinaryIO, TextIO, TYPE_CHECKING, Generator

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

from typing import cast
import datetime

if TYPE_CHECKING:
    from ..models.webhook_attempt import WebhookAttempt
    from ..models.webhook_delivery import WebhookDelivery
    from ..models.webhook_event_detail_data import WebhookEventDetailData


T = TypeVar("T", bound="WebhookEventDetail")


@_attrs_define
class WebhookEventDetail:
    """An event with its deliveries and attempts.

    Attributes:
        id (str): The id of the event, the same in every attempt.
        type_ (str): The type of an event.
        created_at (datetime.datetime): When the event occurred.
        data (WebhookEventDetailData): The data as sent. The event's `type` determines its schema: see the webhook of
            that type.
        deliveries (list[WebhookDelivery]): The delivery to each endpoint that takes the event.
        attempts (list[WebhookAttempt]): The newest 100, newest first.
    """

    id: str
    type_: str
    created_at: datetime.datetime
    data: WebhookEventDetailData
    deliveries: list[WebhookDelivery]
    attempts: list[WebhookAttempt]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.webhook_attempt import WebhookAttempt  # noqa: PLC0415
        from ..models.webhook_delivery import WebhookDelivery  # noqa: PLC0415
        from ..models.webhook_event_detail_data import WebhookEventDetailData  # noqa: PLC0415

        id = self.id

        type_ = self.type_

        created_at = self.created_at.isoformat()

        data = self.data.to_dict()

        deliveries = []
        for deliveries_item_data in self.deliveries:
            deliveries_item = deliveries_item_data.to_dict()
            deliveries.append(deliveries_item)

        attempts = []
        for attempts_item_data in self.attempts:
            attempts_item = attempts_item_data.to_dict()
            attempts.append(attempts_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "type": type_,
                "created_at": created_at,
                "data": data,
                "deliveries": deliveries,
                "attempts": attempts,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.webhook_attempt import WebhookAttempt  # noqa: PLC0415
        from ..models.webhook_delivery import WebhookDelivery  # noqa: PLC0415
        from ..models.webhook_event_detail_data import WebhookEventDetailData  # noqa: PLC0415

        d = dict(src_dict)
        id = d.pop("id")

        type_ = d.pop("type")

        created_at = datetime.datetime.fromisoformat(d.pop("created_at"))

        data = WebhookEventDetailData.from_dict(d.pop("data"))

        deliveries = []
        _deliveries = d.pop("deliveries")
        for deliveries_item_data in _deliveries:
            deliveries_item = WebhookDelivery.from_dict(deliveries_item_data)

            deliveries.append(deliveries_item)

        attempts = []
        _attempts = d.pop("attempts")
        for attempts_item_data in _attempts:
            attempts_item = WebhookAttempt.from_dict(attempts_item_data)

            attempts.append(attempts_item)

        webhook_event_detail = cls(
            id=id,
            type_=type_,
            created_at=created_at,
            data=data,
            deliveries=deliveries,
            attempts=attempts,
        )

        webhook_event_detail.additional_properties = d
        return webhook_event_detail

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
