from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, BinaryIO, TextIO, TYPE_CHECKING, Generator

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

from ..models.activation_status import ActivationStatus
from ..models.esim_order_status import EsimOrderStatus
from ..types import UNSET, Unset
from typing import cast
import datetime

if TYPE_CHECKING:
    from ..models.esim_order_replacements_item import EsimOrderReplacementsItem
    from ..models.esim_order_replaces import EsimOrderReplaces


T = TypeVar("T", bound="EsimOrder")


@_attrs_define
class EsimOrder:
    """An eSIM order.

    Attributes:
        id (int): The order.
        product_name (str): The name of the product.
        country_code (str): The country of the product (ISO 3166-1 alpha-3, or `GLO`).
        amount (float): The debited price, in the wallet's currency.
        currency (str): The wallet's currency.
        status (EsimOrderStatus): The state of the order.
        status_text (str): The state of the order, for people.
        created_at (datetime.datetime): When the order was placed.
        data_amount_gb (float): Data in GB; 0 is unlimited.
        validity_days (int): Days of validity, from first use.
        is_installed (bool): Whether a device has downloaded the profile.
        charged_amount (float): The debited amount; 0 if nothing was debited.
        charged_currency (str): The wallet's currency.
        refunded_amount (float): The sum of all credited refunds; 0 until one is credited.
        client_reference (str | Unset): Your name for the order; omitted if you gave none.
        transaction_id (int | Unset): The transaction that debited the wallet; omitted if nothing was debited.
        replaces (EsimOrderReplaces | Unset): The unit that the order replaces; omitted if it replaces none.
        replacements (list[EsimOrderReplacementsItem] | Unset): The orders that replace units of this order; omitted if
            there are none.
        installed_at (datetime.datetime | Unset): When a device downloaded the profile; omitted until then.
        activated_at (datetime.datetime | Unset): When it first used data; omitted until then.
        activation_status (ActivationStatus | Unset): The state of the profile; omitted until the order is delivered.
        iccid (None | str | Unset): The serial number of the SIM; omitted until the order is delivered, null if it is
            unreadable, and for members who do not see recipients.
        refund_transaction_id (int | Unset): The transaction of the first refund; omitted until there is one.
        activation_code (None | str | Unset): The code that installs the profile. Present while the eSIM is delivered
            and not installed, for keys with the scope `codes`; null if it is unreadable.
        failure_code (str | Unset): Why the order failed, for programs.
        failure_reason (str | Unset): Why the order failed, for the customer.
        is_user_fixable (bool | Unset): Whether a corrected order can succeed.
    """

    id: int
    product_name: str
    country_code: str
    amount: float
    currency: str
    status: EsimOrderStatus
    status_text: str
    created_at: datetime.datetime
    data_amount_gb: float
    validity_days: int
    is_installed: bool
    charged_amount: float
    charged_currency: str
    refunded_amount: float
    client_reference: str | Unset = UNSET
    transaction_id: int | Unset = UNSET
    replaces: EsimOrderReplaces | Unset = UNSET
    replacements: list[EsimOrderReplacementsItem] | Unset = UNSET
    installed_at: datetime.datetime | Unset = UNSET
    activated_at: datetime.datetime | Unset = UNSET
    activation_status: ActivationStatus | Unset = UNSET
    iccid: None | str | Unset = UNSET
    refund_transaction_id: int | Unset = UNSET
    activation_code: None | str | Unset = UNSET
    failure_code: str | Unset = UNSET
    failure_reason: str | Unset = UNSET
    is_user_fixable: bool | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.esim_order_replacements_item import EsimOrderReplacementsItem  # noqa: PLC0415
        from ..models.esim_order_replaces import EsimOrderReplaces  # noqa: PLC0415

        id = self.id

        product_name = self.product_name

        country_code = self.country_code

        amount = self.amount

        currency = self.currency

        status = self.status.value

        status_text = self.status_text

        created_at = self.created_at.isoformat()

        data_amount_gb = self.data_amount_gb

        validity_days = self.validity_days

        is_installed = self.is_installed

        charged_amount = self.charged_amount

        charged_currency = self.charged_currency

        refunded_amount = self.refunded_amount

        client_reference = self.client_reference

        transaction_id = self.transaction_id

        replaces: dict[str, Any] | Unset = UNSET
        if not isinstance(self.replaces, Unset):
            replaces = self.replaces.to_dict()

        replacements: list[dict[str, Any]] | Unset = UNSET
        if not isinstance(self.replacements, Unset):
            replacements = []
            for replacements_item_data in self.replacements:
                replacements_item = replacements_item_data.to_dict()
                replacements.append(replacements_item)

        installed_at: str | Unset = UNSET
        if not isinstance(self.installed_at, Unset):
            installed_at = self.installed_at.isoformat()

        activated_at: str | Unset = UNSET
        if not isinstance(self.activated_at, Unset):
            activated_at = self.activated_at.isoformat()

        activation_status: str | Unset = UNSET
        if not isinstance(self.activation_status, Unset):
            activation_status = self.activation_status.value

        iccid: None | str | Unset
        if isinstance(self.iccid, Unset):
            iccid = UNSET
        else:
            iccid = self.iccid

        refund_transaction_id = self.refund_transaction_id

        activation_code: None | str | Unset
        if isinstance(self.activation_code, Unset):
            activation_code = UNSET
        else:
            activation_code = self.activation_code

        failure_code = self.failure_code

        failure_reason = self.failure_reason

        is_user_fixable = self.is_user_fixable

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "product_name": product_name,
                "country_code": country_code,
                "amount": amount,
                "currency": currency,
                "status": status,
                "status_text": status_text,
                "created_at": created_at,
                "data_amount_gb": data_amount_gb,
                "validity_days": validity_days,
                "is_installed": is_installed,
                "charged_amount": charged_amount,
                "charged_currency": charged_currency,
                "refunded_amount": refunded_amount,
            }
        )
        if client_reference is not UNSET:
            field_dict["client_reference"] = client_reference
        if transaction_id is not UNSET:
            field_dict["transaction_id"] = transaction_id
        if replaces is not UNSET:
            field_dict["replaces"] = replaces
        if replacements is not UNSET:
            field_dict["replacements"] = replacements
        if installed_at is not UNSET:
            field_dict["installed_at"] = installed_at
        if activated_at is not UNSET:
            field_dict["activated_at"] = activated_at
        if activation_status is not UNSET:
            field_dict["activation_status"] = activation_status
        if iccid is not UNSET:
            field_dict["iccid"] = iccid
        if refund_transaction_id is not UNSET:
            field_dict["refund_transaction_id"] = refund_transaction_id
        if activation_code is not UNSET:
            field_dict["activation_code"] = activation_code
        if failure_code is not UNSET:
            field_dict["failure_code"] = failure_code
        if failure_reason is not UNSET:
            field_dict["failure_reason"] = failure_reason
        if is_user_fixable is not UNSET:
            field_dict["is_user_fixable"] = is_user_fixable

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.esim_order_replacements_item import EsimOrderReplacementsItem  # noqa: PLC0415
        from ..models.esim_order_replaces import EsimOrderReplaces  # noqa: PLC0415

        d = dict(src_dict)
        id = d.pop("id")

        product_name = d.pop("product_name")

        country_code = d.pop("country_code")

        amount = d.pop("amount")

        currency = d.pop("currency")

        status = EsimOrderStatus(d.pop("status"))

        status_text = d.pop("status_text")

        created_at = datetime.datetime.fromisoformat(d.pop("created_at"))

        data_amount_gb = d.pop("data_amount_gb")

        validity_days = d.pop("validity_days")

        is_installed = d.pop("is_installed")

        charged_amount = d.pop("charged_amount")

        charged_currency = d.pop("charged_currency")

        refunded_amount = d.pop("refunded_amount")

        client_reference = d.pop("client_reference", UNSET)

        transaction_id = d.pop("transaction_id", UNSET)

        _replaces = d.pop("replaces", UNSET)
        replaces: EsimOrderReplaces | Unset
        if isinstance(_replaces, Unset):
            replaces = UNSET
        else:
            replaces = EsimOrderReplaces.from_dict(_replaces)

        _replacements = d.pop("replacements", UNSET)
        replacements: list[EsimOrderReplacementsItem] | Unset = UNSET
        if _replacements is not UNSET:
            replacements = []
            for replacements_item_data in _replacements:
                replacements_item = EsimOrderReplacementsItem.from_dict(replacements_item_data)

                replacements.append(replacements_item)

        _installed_at = d.pop("installed_at", UNSET)
        installed_at: datetime.datetime | Unset
        if isinstance(_installed_at, Unset):
            installed_at = UNSET
        else:
            installed_at = datetime.datetime.fromisoformat(_installed_at)

        _activated_at = d.pop("activated_at", UNSET)
        activated_at: datetime.datetime | Unset
        if isinstance(_activated_at, Unset):
            activated_at = UNSET
        else:
            activated_at = datetime.datetime.fromisoformat(_activated_at)

        _activation_status = d.pop("activation_status", UNSET)
        activation_status: ActivationStatus | Unset
        if isinstance(_activation_status, Unset):
            activation_status = UNSET
        else:
            activation_status = ActivationStatus(_activation_status)

        def _parse_iccid(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        iccid = _parse_iccid(d.pop("iccid", UNSET))

        refund_transaction_id = d.pop("refund_transaction_id", UNSET)

        def _parse_activation_code(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        activation_code = _parse_activation_code(d.pop("activation_code", UNSET))

        failure_code = d.pop("failure_code", UNSET)

        failure_reason = d.pop("failure_reason", UNSET)

        is_user_fixable = d.pop("is_user_fixable", UNSET)

        esim_order = cls(
            id=id,
            product_name=product_name,
            country_code=country_code,
            amount=amount,
            currency=currency,
            status=status,
            status_text=status_text,
            created_at=created_at,
            data_amount_gb=data_amount_gb,
            validity_days=validity_days,
            is_installed=is_installed,
            charged_amount=charged_amount,
            charged_currency=charged_currency,
            refunded_amount=refunded_amount,
            client_reference=client_reference,
            transaction_id=transaction_id,
            replaces=replaces,
            replacements=replacements,
            installed_at=installed_at,
            activated_at=activated_at,
            activation_status=activation_status,
            iccid=iccid,
            refund_transaction_id=refund_transaction_id,
            activation_code=activation_code,
            failure_code=failure_code,
            failure_reason=failure_reason,
            is_user_fixable=is_user_fixable,
        )

        esim_order.additional_properties = d
        return esim_order

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
