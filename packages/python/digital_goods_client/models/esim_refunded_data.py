from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, BinaryIO, TextIO, TYPE_CHECKING, Generator

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

from ..models.esim_refunded_data_activation_status_type_1 import EsimRefundedDataActivationStatusType1
from ..models.esim_refunded_data_activation_status_type_2_type_1 import EsimRefundedDataActivationStatusType2Type1
from ..models.esim_refunded_data_activation_status_type_3_type_1 import EsimRefundedDataActivationStatusType3Type1
from ..models.esim_refunded_data_status import EsimRefundedDataStatus
from ..types import UNSET, Unset
from typing import cast


T = TypeVar("T", bound="EsimRefundedData")


@_attrs_define
class EsimRefundedData:
    """The data of an event about an eSIM order.

    Attributes:
        id (int): The order.
        status (EsimRefundedDataStatus): The state of the order.
        activation_status (EsimRefundedDataActivationStatusType1 | EsimRefundedDataActivationStatusType2Type1 |
            EsimRefundedDataActivationStatusType3Type1 | None): The state of the profile.
        product_name (str): The name of the product.
        country_code (str): The country of the product.
        data_amount_gb (float): Data in GB; 0 is unlimited.
        validity_days (int): Days of validity, from first use.
        amount (float): The debited amount, in the wallet's currency.
        currency (str): The wallet's currency.
        iccid (None | str): The serial number of the SIM; null if there is none.
        refund_id (int): The number of the refund, from 1: its `id` in the list of refunds.
        refund_amount (float): The refunded amount, in the wallet's currency.
        reason_code (str): Why the order was refunded.
        client_reference (str | Unset): Your name for the order; omitted if you gave none.
    """

    id: int
    status: EsimRefundedDataStatus
    activation_status: (
        EsimRefundedDataActivationStatusType1
        | EsimRefundedDataActivationStatusType2Type1
        | EsimRefundedDataActivationStatusType3Type1
        | None
    )
    product_name: str
    country_code: str
    data_amount_gb: float
    validity_days: int
    amount: float
    currency: str
    iccid: None | str
    refund_id: int
    refund_amount: float
    reason_code: str
    client_reference: str | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        status = self.status.value

        activation_status: None | str
        if isinstance(self.activation_status, EsimRefundedDataActivationStatusType1):
            activation_status = self.activation_status.value
        elif isinstance(self.activation_status, EsimRefundedDataActivationStatusType2Type1):
            activation_status = self.activation_status.value
        elif isinstance(self.activation_status, EsimRefundedDataActivationStatusType3Type1):
            activation_status = self.activation_status.value
        else:
            activation_status = self.activation_status

        product_name = self.product_name

        country_code = self.country_code

        data_amount_gb = self.data_amount_gb

        validity_days = self.validity_days

        amount = self.amount

        currency = self.currency

        iccid: None | str
        iccid = self.iccid

        refund_id = self.refund_id

        refund_amount = self.refund_amount

        reason_code = self.reason_code

        client_reference = self.client_reference

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "status": status,
                "activation_status": activation_status,
                "product_name": product_name,
                "country_code": country_code,
                "data_amount_gb": data_amount_gb,
                "validity_days": validity_days,
                "amount": amount,
                "currency": currency,
                "iccid": iccid,
                "refund_id": refund_id,
                "refund_amount": refund_amount,
                "reason_code": reason_code,
            }
        )
        if client_reference is not UNSET:
            field_dict["client_reference"] = client_reference

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        status = EsimRefundedDataStatus(d.pop("status"))

        def _parse_activation_status(
            data: object,
        ) -> (
            EsimRefundedDataActivationStatusType1
            | EsimRefundedDataActivationStatusType2Type1
            | EsimRefundedDataActivationStatusType3Type1
            | None
        ):
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                activation_status_type_1 = EsimRefundedDataActivationStatusType1(data)

                return activation_status_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, str):
                    raise TypeError()
                activation_status_type_2_type_1 = EsimRefundedDataActivationStatusType2Type1(data)

                return activation_status_type_2_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, str):
                    raise TypeError()
                activation_status_type_3_type_1 = EsimRefundedDataActivationStatusType3Type1(data)

                return activation_status_type_3_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(
                EsimRefundedDataActivationStatusType1
                | EsimRefundedDataActivationStatusType2Type1
                | EsimRefundedDataActivationStatusType3Type1
                | None,
                data,
            )

        activation_status = _parse_activation_status(d.pop("activation_status"))

        product_name = d.pop("product_name")

        country_code = d.pop("country_code")

        data_amount_gb = d.pop("data_amount_gb")

        validity_days = d.pop("validity_days")

        amount = d.pop("amount")

        currency = d.pop("currency")

        def _parse_iccid(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        iccid = _parse_iccid(d.pop("iccid"))

        refund_id = d.pop("refund_id")

        refund_amount = d.pop("refund_amount")

        reason_code = d.pop("reason_code")

        client_reference = d.pop("client_reference", UNSET)

        esim_refunded_data = cls(
            id=id,
            status=status,
            activation_status=activation_status,
            product_name=product_name,
            country_code=country_code,
            data_amount_gb=data_amount_gb,
            validity_days=validity_days,
            amount=amount,
            currency=currency,
            iccid=iccid,
            refund_id=refund_id,
            refund_amount=refund_amount,
            reason_code=reason_code,
            client_reference=client_reference,
        )

        esim_refunded_data.additional_properties = d
        return esim_refunded_data

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
