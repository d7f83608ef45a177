from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, BinaryIO, TextIO, TYPE_CHECKING, Generator

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

from typing import cast
import datetime

if TYPE_CHECKING:
    from ..models.webhook_event import WebhookEvent


T = TypeVar("T", bound="WebhookResend")


@_attrs_define
class WebhookResend:
    """An event that a redelivery or a replay sent again.

    Attributes:
        id (int): The id of the request for this event.
        requested_at (datetime.datetime): When it was requested.
        event (WebhookEvent): An event. Its `type` determines its `data`.
    """

    id: int
    requested_at: datetime.datetime
    event: WebhookEvent
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.webhook_event import WebhookEvent  # noqa: PLC0415

        id = self.id

        requested_at = self.requested_at.isoformat()

        event = self.event.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "requested_at": requested_at,
                "event": event,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.webhook_event import WebhookEvent  # noqa: PLC0415

        d = dict(src_dict)
        id = d.pop("id")

        requested_at = datetime.datetime.fromisoformat(d.pop("requested_at"))

        event = WebhookEvent.from_dict(d.pop("event"))

        webhook_resend = cls(
            id=id,
            requested_at=requested_at,
            event=event,
        )

        webhook_resend.additional_properties = d
        return webhook_resend

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
