from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, BinaryIO, TextIO, TYPE_CHECKING, Generator

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

from ..models.webhook_delivery_status import WebhookDeliveryStatus
from typing import cast
import datetime


T = TypeVar("T", bound="WebhookDelivery")


@_attrs_define
class WebhookDelivery:
    """The delivery of an event to one endpoint.

    Attributes:
        endpoint_id (int): The endpoint.
        status (WebhookDeliveryStatus): `FAILED`: given up. `SKIPPED`: skipped by an operator.
        tries (int): The number of attempts.
        next_try_at (datetime.datetime | None): When the next attempt is due; null without one.
    """

    endpoint_id: int
    status: WebhookDeliveryStatus
    tries: int
    next_try_at: datetime.datetime | None
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        endpoint_id = self.endpoint_id

        status = self.status.value

        tries = self.tries

        next_try_at: None | str
        if isinstance(self.next_try_at, datetime.datetime):
            next_try_at = self.next_try_at.isoformat()
        else:
            next_try_at = self.next_try_at

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "endpoint_id": endpoint_id,
                "status": status,
                "tries": tries,
                "next_try_at": next_try_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        endpoint_id = d.pop("endpoint_id")

        status = WebhookDeliveryStatus(d.pop("status"))

        tries = d.pop("tries")

        def _parse_next_try_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                next_try_at_type_0 = datetime.datetime.fromisoformat(data)

                return next_try_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        next_try_at = _parse_next_try_at(d.pop("next_try_at"))

        webhook_delivery = cls(
            endpoint_id=endpoint_id,
            status=status,
            tries=tries,
            next_try_at=next_try_at,
        )

        webhook_delivery.additional_properties = d
        return webhook_delivery

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
