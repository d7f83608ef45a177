from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, BinaryIO, TextIO, TYPE_CHECKING, Generator

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

from ..models.claim_order_family import ClaimOrderFamily
from ..models.claim_outcome_type_1 import ClaimOutcomeType1
from ..models.claim_outcome_type_2_type_1 import ClaimOutcomeType2Type1
from ..models.claim_outcome_type_3_type_1 import ClaimOutcomeType3Type1
from typing import cast
import datetime


T = TypeVar("T", bound="Claim")


@_attrs_define
class Claim:
    """A claim about delivered goods.

    Attributes:
        id (int): The claim.
        order_id (int): The order.
        order_family (ClaimOrderFamily): The family of the order.
        unit (int | None): The claimed unit of a voucher order, from 1; null for other families.
        kind (str): What is wrong with the goods.
        state (str): Its state. An `ACCEPTED` claim without an outcome waits for its refund or its replacement.
        outcome (ClaimOutcomeType1 | ClaimOutcomeType2Type1 | ClaimOutcomeType3Type1 | None): What you got for the unit;
            null until then.
        replacement_order_id (int | None): The order that replaces the unit.
        created_at (datetime.datetime): When it was filed.
        due_at (datetime.datetime): When we answer at the latest.
        closed_at (datetime.datetime | None): When it was closed; null until then.
        text (str): Your text; empty once it is erased, and for members who do not see recipients.
    """

    id: int
    order_id: int
    order_family: ClaimOrderFamily
    unit: int | None
    kind: str
    state: str
    outcome: ClaimOutcomeType1 | ClaimOutcomeType2Type1 | ClaimOutcomeType3Type1 | None
    replacement_order_id: int | None
    created_at: datetime.datetime
    due_at: datetime.datetime
    closed_at: datetime.datetime | None
    text: str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        order_id = self.order_id

        order_family = self.order_family.value

        unit: int | None
        unit = self.unit

        kind = self.kind

        state = self.state

        outcome: None | str
        if isinstance(self.outcome, ClaimOutcomeType1):
            outcome = self.outcome.value
        elif isinstance(self.outcome, ClaimOutcomeType2Type1):
            outcome = self.outcome.value
        elif isinstance(self.outcome, ClaimOutcomeType3Type1):
            outcome = self.outcome.value
        else:
            outcome = self.outcome

        replacement_order_id: int | None
        replacement_order_id = self.replacement_order_id

        created_at = self.created_at.isoformat()

        due_at = self.due_at.isoformat()

        closed_at: None | str
        if isinstance(self.closed_at, datetime.datetime):
            closed_at = self.closed_at.isoformat()
        else:
            closed_at = self.closed_at

        text = self.text

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "order_id": order_id,
                "order_family": order_family,
                "unit": unit,
                "kind": kind,
                "state": state,
                "outcome": outcome,
                "replacement_order_id": replacement_order_id,
                "created_at": created_at,
                "due_at": due_at,
                "closed_at": closed_at,
                "text": text,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        order_id = d.pop("order_id")

        order_family = ClaimOrderFamily(d.pop("order_family"))

        def _parse_unit(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        unit = _parse_unit(d.pop("unit"))

        kind = d.pop("kind")

        state = d.pop("state")

        def _parse_outcome(data: object) -> ClaimOutcomeType1 | ClaimOutcomeType2Type1 | ClaimOutcomeType3Type1 | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                outcome_type_1 = ClaimOutcomeType1(data)

                return outcome_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, str):
                    raise TypeError()
                outcome_type_2_type_1 = ClaimOutcomeType2Type1(data)

                return outcome_type_2_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, str):
                    raise TypeError()
                outcome_type_3_type_1 = ClaimOutcomeType3Type1(data)

                return outcome_type_3_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(ClaimOutcomeType1 | ClaimOutcomeType2Type1 | ClaimOutcomeType3Type1 | None, data)

        outcome = _parse_outcome(d.pop("outcome"))

        def _parse_replacement_order_id(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        replacement_order_id = _parse_replacement_order_id(d.pop("replacement_order_id"))

        created_at = datetime.datetime.fromisoformat(d.pop("created_at"))

        due_at = datetime.datetime.fromisoformat(d.pop("due_at"))

        def _parse_closed_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                closed_at_type_0 = datetime.datetime.fromisoformat(data)

                return closed_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        closed_at = _parse_closed_at(d.pop("closed_at"))

        text = d.pop("text")

        claim = cls(
            id=id,
            order_id=order_id,
            order_family=order_family,
            unit=unit,
            kind=kind,
            state=state,
            outcome=outcome,
            replacement_order_id=replacement_order_id,
            created_at=created_at,
            due_at=due_at,
            closed_at=closed_at,
            text=text,
        )

        claim.additional_properties = d
        return claim

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
