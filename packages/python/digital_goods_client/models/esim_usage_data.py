from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, BinaryIO, TextIO, TYPE_CHECKING, Generator

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

from ..models.esim_usage_data_activation_status_type_1 import EsimUsageDataActivationStatusType1
from ..models.esim_usage_data_activation_status_type_2_type_1 import EsimUsageDataActivationStatusType2Type1
from ..models.esim_usage_data_activation_status_type_3_type_1 import EsimUsageDataActivationStatusType3Type1
from ..models.esim_usage_data_status import EsimUsageDataStatus
from ..models.esim_usage_data_threshold_percent import EsimUsageDataThresholdPercent
from ..types import UNSET, Unset
from typing import cast
import datetime


T = TypeVar("T", bound="EsimUsageData")


@_attrs_define
class EsimUsageData:
    """The data of an event about an eSIM order.

    Attributes:
        id (int): The order.
        status (EsimUsageDataStatus): The state of the order.
        activation_status (EsimUsageDataActivationStatusType1 | EsimUsageDataActivationStatusType2Type1 |
            EsimUsageDataActivationStatusType3Type1 | None): The state of the profile.
        product_name (str): The name of the product.
        country_code (str): The country of the product.
        data_amount_gb (float): Data in GB; 0 is unlimited.
        validity_days (int): Days of validity, from first use.
        amount (float): The debited amount, in the wallet's currency.
        currency (str): The wallet's currency.
        iccid (None | str): The serial number of the SIM; null if there is none.
        threshold_percent (EsimUsageDataThresholdPercent): The share of its data that the eSIM has used.
        data_total_mb (float | None): Megabytes of the plan; null if the supplier does not report them.
        data_used_mb (float | None): Used megabytes; null if the supplier does not report them.
        data_left_mb (float | None): Megabytes that are left; null if the supplier does not report them.
        validity_ends_at (datetime.datetime | None): The end of the validity; null before the first use, or if the
            supplier does not report it.
        client_reference (str | Unset): Your name for the order; omitted if you gave none.
    """

    id: int
    status: EsimUsageDataStatus
    activation_status: (
        EsimUsageDataActivationStatusType1
        | EsimUsageDataActivationStatusType2Type1
        | EsimUsageDataActivationStatusType3Type1
        | None
    )
    product_name: str
    country_code: str
    data_amount_gb: float
    validity_days: int
    amount: float
    currency: str
    iccid: None | str
    threshold_percent: EsimUsageDataThresholdPercent
    data_total_mb: float | None
    data_used_mb: float | None
    data_left_mb: float | None
    validity_ends_at: datetime.datetime | None
    client_reference: str | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        status = self.status.value

        activation_status: None | str
        if isinstance(self.activation_status, EsimUsageDataActivationStatusType1):
            activation_status = self.activation_status.value
        elif isinstance(self.activation_status, EsimUsageDataActivationStatusType2Type1):
            activation_status = self.activation_status.value
        elif isinstance(self.activation_status, EsimUsageDataActivationStatusType3Type1):
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

        threshold_percent = self.threshold_percent.value

        data_total_mb: float | None
        data_total_mb = self.data_total_mb

        data_used_mb: float | None
        data_used_mb = self.data_used_mb

        data_left_mb: float | None
        data_left_mb = self.data_left_mb

        validity_ends_at: None | str
        if isinstance(self.validity_ends_at, datetime.datetime):
            validity_ends_at = self.validity_ends_at.isoformat()
        else:
            validity_ends_at = self.validity_ends_at

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
                "threshold_percent": threshold_percent,
                "data_total_mb": data_total_mb,
                "data_used_mb": data_used_mb,
                "data_left_mb": data_left_mb,
                "validity_ends_at": validity_ends_at,
            }
        )
        if client_reference is not UNSET:
            field_dict["client_reference"] = client_reference

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        status = EsimUsageDataStatus(d.pop("status"))

        def _parse_activation_status(
            data: object,
        ) -> (
            EsimUsageDataActivationStatusType1
            | EsimUsageDataActivationStatusType2Type1
            | EsimUsageDataActivationStatusType3Type1
            | None
        ):
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                activation_status_type_1 = EsimUsageDataActivationStatusType1(data)

                return activation_status_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, str):
                    raise TypeError()
                activation_status_type_2_type_1 = EsimUsageDataActivationStatusType2Type1(data)

                return activation_status_type_2_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, str):
                    raise TypeError()
                activation_status_type_3_type_1 = EsimUsageDataActivationStatusType3Type1(data)

                return activation_status_type_3_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(
                EsimUsageDataActivationStatusType1
                | EsimUsageDataActivationStatusType2Type1
                | EsimUsageDataActivationStatusType3Type1
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

        threshold_percent = EsimUsageDataThresholdPercent(d.pop("threshold_percent"))

        def _parse_data_total_mb(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        data_total_mb = _parse_data_total_mb(d.pop("data_total_mb"))

        def _parse_data_used_mb(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        data_used_mb = _parse_data_used_mb(d.pop("data_used_mb"))

        def _parse_data_left_mb(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        data_left_mb = _parse_data_left_mb(d.pop("data_left_mb"))

        def _parse_validity_ends_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                validity_ends_at_type_0 = datetime.datetime.fromisoformat(data)

                return validity_ends_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        validity_ends_at = _parse_validity_ends_at(d.pop("validity_ends_at"))

        client_reference = d.pop("client_reference", UNSET)

        esim_usage_data = cls(
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
            threshold_percent=threshold_percent,
            data_total_mb=data_total_mb,
            data_used_mb=data_used_mb,
            data_left_mb=data_left_mb,
            validity_ends_at=validity_ends_at,
            client_reference=client_reference,
        )

        esim_usage_data.additional_properties = d
        return esim_usage_data

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
