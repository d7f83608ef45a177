from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, BinaryIO, TextIO, TYPE_CHECKING, Generator

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

from ..models.topup_refunded_event_type import TopupRefundedEventType
from typing import cast
import datetime

if TYPE_CHECKING:
    from ..models.topup_refunded_data import TopupRefundedData


T = TypeVar("T", bound="TopupRefundedEvent")


@_attrs_define
class TopupRefundedEvent:
    """A top-up was refunded after its delivery.

    Attributes:
        id (str): The id of the event, the same in every attempt.
        type_ (TopupRefundedEventType): The type of the event.
        created_at (datetime.datetime): When the event occurred.
        data (TopupRefundedData): The data of an event about a top-up order.
    """

    id: str
    type_: TopupRefundedEventType
    created_at: datetime.datetime
    data: TopupRefundedData
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.topup_refunded_data import TopupRefundedData  # noqa: PLC0415

        id = self.id

        type_ = self.type_.value

        created_at = self.created_at.isoformat()

        data = self.data.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "type": type_,
                "created_at": created_at,
                "data": data,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.topup_refunded_data import TopupRefundedData  # noqa: PLC0415

        d = dict(src_dict)
        id = d.pop("id")

        type_ = TopupRefundedEventType(d.pop("type"))

        created_at = datetime.datetime.fromisoformat(d.pop("created_at"))

        data = TopupRefundedData.from_dict(d.pop("data"))

        topup_refunded_event = cls(
            id=id,
            type_=type_,
            created_at=created_at,
            data=data,
        )

        topup_refunded_event.additional_properties = d
        return topup_refunded_event

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
