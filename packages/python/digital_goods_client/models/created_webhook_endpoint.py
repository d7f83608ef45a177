from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, BinaryIO, TextIO, TYPE_CHECKING, Generator

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

from ..models.created_webhook_endpoint_disabled_reason_type_1 import CreatedWebhookEndpointDisabledReasonType1
from ..models.created_webhook_endpoint_disabled_reason_type_2_type_1 import (
    CreatedWebhookEndpointDisabledReasonType2Type1,
)
from ..models.created_webhook_endpoint_disabled_reason_type_3_type_1 import (
    CreatedWebhookEndpointDisabledReasonType3Type1,
)
from typing import cast
import datetime


T = TypeVar("T", bound="CreatedWebhookEndpoint")


@_attrs_define
class CreatedWebhookEndpoint:
    """A new endpoint with its secret.

    Attributes:
        id (int): The endpoint.
        url (str): Where events are posted.
        description (str): Your description; may be empty.
        event_types (list[str]): The event types of the endpoint; empty means all except those of top-ups and
            `esim.usage`.
        enabled (bool): Whether events are sent to it.
        disabled_reason (CreatedWebhookEndpointDisabledReasonType1 | CreatedWebhookEndpointDisabledReasonType2Type1 |
            CreatedWebhookEndpointDisabledReasonType3Type1 | None): Why the service disabled the endpoint; null if it did
            not.
        failing_since (datetime.datetime | None): The time of the first failed attempt since the last success; null
            while the endpoint works or no event waits.
        verified_at (datetime.datetime | None): When the URL first responded to an event with 2xx; null before.
        created_at (datetime.datetime): When it was registered.
        updated_at (datetime.datetime): When it last changed.
        secret (str): The key of the signatures. Keep it secret.
    """

    id: int
    url: str
    description: str
    event_types: list[str]
    enabled: bool
    disabled_reason: (
        CreatedWebhookEndpointDisabledReasonType1
        | CreatedWebhookEndpointDisabledReasonType2Type1
        | CreatedWebhookEndpointDisabledReasonType3Type1
        | None
    )
    failing_since: datetime.datetime | None
    verified_at: datetime.datetime | None
    created_at: datetime.datetime
    updated_at: datetime.datetime
    secret: str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        url = self.url

        description = self.description

        event_types = self.event_types

        enabled = self.enabled

        disabled_reason: None | str
        if isinstance(self.disabled_reason, CreatedWebhookEndpointDisabledReasonType1):
            disabled_reason = self.disabled_reason.value
        elif isinstance(self.disabled_reason, CreatedWebhookEndpointDisabledReasonType2Type1):
            disabled_reason = self.disabled_reason.value
        elif isinstance(self.disabled_reason, CreatedWebhookEndpointDisabledReasonType3Type1):
            disabled_reason = self.disabled_reason.value
        else:
            disabled_reason = self.disabled_reason

        failing_since: None | str
        if isinstance(self.failing_since, datetime.datetime):
            failing_since = self.failing_since.isoformat()
        else:
            failing_since = self.failing_since

        verified_at: None | str
        if isinstance(self.verified_at, datetime.datetime):
            verified_at = self.verified_at.isoformat()
        else:
            verified_at = self.verified_at

        created_at = self.created_at.isoformat()

        updated_at = self.updated_at.isoformat()

        secret = self.secret

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "url": url,
                "description": description,
                "event_types": event_types,
                "enabled": enabled,
                "disabled_reason": disabled_reason,
                "failing_since": failing_since,
                "verified_at": verified_at,
                "created_at": created_at,
                "updated_at": updated_at,
                "secret": secret,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        url = d.pop("url")

        description = d.pop("description")

        event_types = cast(list[str], d.pop("event_types"))

        enabled = d.pop("enabled")

        def _parse_disabled_reason(
            data: object,
        ) -> (
            CreatedWebhookEndpointDisabledReasonType1
            | CreatedWebhookEndpointDisabledReasonType2Type1
            | CreatedWebhookEndpointDisabledReasonType3Type1
            | None
        ):
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                disabled_reason_type_1 = CreatedWebhookEndpointDisabledReasonType1(data)

                return disabled_reason_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, str):
                    raise TypeError()
                disabled_reason_type_2_type_1 = CreatedWebhookEndpointDisabledReasonType2Type1(data)

                return disabled_reason_type_2_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, str):
                    raise TypeError()
                disabled_reason_type_3_type_1 = CreatedWebhookEndpointDisabledReasonType3Type1(data)

                return disabled_reason_type_3_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(
                CreatedWebhookEndpointDisabledReasonType1
                | CreatedWebhookEndpointDisabledReasonType2Type1
                | CreatedWebhookEndpointDisabledReasonType3Type1
                | None,
                data,
            )

        disabled_reason = _parse_disabled_reason(d.pop("disabled_reason"))

        def _parse_failing_since(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                failing_since_type_0 = datetime.datetime.fromisoformat(data)

                return failing_since_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        failing_since = _parse_failing_since(d.pop("failing_since"))

        def _parse_verified_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                verified_at_type_0 = datetime.datetime.fromisoformat(data)

                return verified_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        verified_at = _parse_verified_at(d.pop("verified_at"))

        created_at = datetime.datetime.fromisoformat(d.pop("created_at"))

        updated_at = datetime.datetime.fromisoformat(d.pop("updated_at"))

        secret = d.pop("secret")

        created_webhook_endpoint = cls(
            id=id,
            url=url,
            description=description,
            event_types=event_types,
            enabled=enabled,
            disabled_reason=disabled_reason,
            failing_since=failing_since,
            verified_at=verified_at,
            created_at=created_at,
            updated_at=updated_at,
            secret=secret,
        )

        created_webhook_endpoint.additional_properties = d
        return created_webhook_endpoint

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
