"""Contains all the data models used in inputs/outputs"""

from .activation_status import ActivationStatus
from .activity import Activity
from .allowed_networks import AllowedNetworks
from .allowed_networks_request import AllowedNetworksRequest
from .api_key import ApiKey
from .api_key_request import ApiKeyRequest
from .api_key_roll import ApiKeyRoll
from .category import Category
from .charges import Charges
from .charges_charges_details import ChargesChargesDetails
from .claim import Claim
from .claim_order_family import ClaimOrderFamily
from .claim_outcome_type_1 import ClaimOutcomeType1
from .claim_outcome_type_2_type_1 import ClaimOutcomeType2Type1
from .claim_outcome_type_3_type_1 import ClaimOutcomeType3Type1
from .claim_updated_data import ClaimUpdatedData
from .claim_updated_data_order_family import ClaimUpdatedDataOrderFamily
from .claim_updated_data_outcome_type_1 import ClaimUpdatedDataOutcomeType1
from .claim_updated_data_outcome_type_2_type_1 import ClaimUpdatedDataOutcomeType2Type1
from .claim_updated_data_outcome_type_3_type_1 import ClaimUpdatedDataOutcomeType3Type1
from .claim_updated_event import ClaimUpdatedEvent
from .claim_updated_event_type import ClaimUpdatedEventType
from .country import Country
from .create_esim_order_sandbox_fault import CreateEsimOrderSandboxFault
from .create_topup_order_sandbox_fault import CreateTopupOrderSandboxFault
from .create_voucher_order_sandbox_fault import CreateVoucherOrderSandboxFault
from .created_api_key import CreatedApiKey
from .created_voucher_order import CreatedVoucherOrder
from .created_voucher_order_replacements_item import CreatedVoucherOrderReplacementsItem
from .created_voucher_order_replaces import CreatedVoucherOrderReplaces
from .created_webhook_endpoint import CreatedWebhookEndpoint
from .created_webhook_endpoint_disabled_reason_type_1 import CreatedWebhookEndpointDisabledReasonType1
from .created_webhook_endpoint_disabled_reason_type_2_type_1 import CreatedWebhookEndpointDisabledReasonType2Type1
from .created_webhook_endpoint_disabled_reason_type_3_type_1 import CreatedWebhookEndpointDisabledReasonType3Type1
from .currency import Currency
from .endpoint_event_type import EndpointEventType
from .error import Error
from .error_error import ErrorError
from .esim_activated_data import EsimActivatedData
from .esim_activated_data_activation_status_type_1 import EsimActivatedDataActivationStatusType1
from .esim_activated_data_activation_status_type_2_type_1 import EsimActivatedDataActivationStatusType2Type1
from .esim_activated_data_activation_status_type_3_type_1 import EsimActivatedDataActivationStatusType3Type1
from .esim_activated_data_status import EsimActivatedDataStatus
from .esim_activated_event import EsimActivatedEvent
from .esim_activated_event_type import EsimActivatedEventType
from .esim_cancelled_data import EsimCancelledData
from .esim_cancelled_data_activation_status_type_1 import EsimCancelledDataActivationStatusType1
from .esim_cancelled_data_activation_status_type_2_type_1 import EsimCancelledDataActivationStatusType2Type1
from .esim_cancelled_data_activation_status_type_3_type_1 import EsimCancelledDataActivationStatusType3Type1
from .esim_cancelled_data_status import EsimCancelledDataStatus
from .esim_cancelled_event import EsimCancelledEvent
from .esim_cancelled_event_type import EsimCancelledEventType
from .esim_charges_request import EsimChargesRequest
from .esim_claim_request import EsimClaimRequest
from .esim_claim_request_kind import EsimClaimRequestKind
from .esim_delivered_data import EsimDeliveredData
from .esim_delivered_data_activation_status_type_1 import EsimDeliveredDataActivationStatusType1
from .esim_delivered_data_activation_status_type_2_type_1 import EsimDeliveredDataActivationStatusType2Type1
from .esim_delivered_data_activation_status_type_3_type_1 import EsimDeliveredDataActivationStatusType3Type1
from .esim_delivered_data_status import EsimDeliveredDataStatus
from .esim_delivered_event import EsimDeliveredEvent
from .esim_delivered_event_type import EsimDeliveredEventType
from .esim_depleted_data import EsimDepletedData
from .esim_depleted_data_activation_status_type_1 import EsimDepletedDataActivationStatusType1
from .esim_depleted_data_activation_status_type_2_type_1 import EsimDepletedDataActivationStatusType2Type1
from .esim_depleted_data_activation_status_type_3_type_1 import EsimDepletedDataActivationStatusType3Type1
from .esim_depleted_data_status import EsimDepletedDataStatus
from .esim_depleted_event import EsimDepletedEvent
from .esim_depleted_event_type import EsimDepletedEventType
from .esim_failed_data import EsimFailedData
from .esim_failed_data_activation_status_type_1 import EsimFailedDataActivationStatusType1
from .esim_failed_data_activation_status_type_2_type_1 import EsimFailedDataActivationStatusType2Type1
from .esim_failed_data_activation_status_type_3_type_1 import EsimFailedDataActivationStatusType3Type1
from .esim_failed_data_status import EsimFailedDataStatus
from .esim_failed_event import EsimFailedEvent
from .esim_failed_event_type import EsimFailedEventType
from .esim_installation import EsimInstallation
from .esim_installation_links_type_0 import EsimInstallationLinksType0
from .esim_installed_data import EsimInstalledData
from .esim_installed_data_activation_status_type_1 import EsimInstalledDataActivationStatusType1
from .esim_installed_data_activation_status_type_2_type_1 import EsimInstalledDataActivationStatusType2Type1
from .esim_installed_data_activation_status_type_3_type_1 import EsimInstalledDataActivationStatusType3Type1
from .esim_installed_data_status import EsimInstalledDataStatus
from .esim_installed_event import EsimInstalledEvent
from .esim_installed_event_type import EsimInstalledEventType
from .esim_order import EsimOrder
from .esim_order_item import EsimOrderItem
from .esim_order_item_replacements_item import EsimOrderItemReplacementsItem
from .esim_order_item_replaces import EsimOrderItemReplaces
from .esim_order_replacements_item import EsimOrderReplacementsItem
from .esim_order_replaces import EsimOrderReplaces
from .esim_order_request import EsimOrderRequest
from .esim_order_status import EsimOrderStatus
from .esim_product import EsimProduct
from .esim_product_detail import EsimProductDetail
from .esim_refunded_data import EsimRefundedData
from .esim_refunded_data_activation_status_type_1 import EsimRefundedDataActivationStatusType1
from .esim_refunded_data_activation_status_type_2_type_1 import EsimRefundedDataActivationStatusType2Type1
from .esim_refunded_data_activation_status_type_3_type_1 import EsimRefundedDataActivationStatusType3Type1
from .esim_refunded_data_status import EsimRefundedDataStatus
from .esim_refunded_event import EsimRefundedEvent
from .esim_refunded_event_type import EsimRefundedEventType
from .esim_usage import EsimUsage
from .esim_usage_data import EsimUsageData
from .esim_usage_data_activation_status_type_1 import EsimUsageDataActivationStatusType1
from .esim_usage_data_activation_status_type_2_type_1 import EsimUsageDataActivationStatusType2Type1
from .esim_usage_data_activation_status_type_3_type_1 import EsimUsageDataActivationStatusType3Type1
from .esim_usage_data_status import EsimUsageDataStatus
from .esim_usage_data_threshold_percent import EsimUsageDataThresholdPercent
from .esim_usage_event import EsimUsageEvent
from .esim_usage_event_type import EsimUsageEventType
from .esim_variant import EsimVariant
from .esim_variant_detail import EsimVariantDetail
from .esim_variant_detail_regions_item import EsimVariantDetailRegionsItem
from .get_open_api_document_response_200 import GetOpenApiDocumentResponse200
from .input_field import InputField
from .input_field_field_type import InputFieldFieldType
from .input_field_options_item import InputFieldOptionsItem
from .list_claims_state import ListClaimsState
from .list_esim_orders_status import ListEsimOrdersStatus
from .list_topup_orders_status import ListTopupOrdersStatus
from .list_topup_products_type import ListTopupProductsType
from .list_voucher_orders_status import ListVoucherOrdersStatus
from .list_voucher_products_sort_by import ListVoucherProductsSortBy
from .list_voucher_products_sort_dir import ListVoucherProductsSortDir
from .list_webhook_events_type import ListWebhookEventsType
from .login_request import LoginRequest
from .low_balance_threshold import LowBalanceThreshold
from .member import Member
from .member_change import MemberChange
from .member_change_state import MemberChangeState
from .member_request import MemberRequest
from .member_role import MemberRole
from .member_state import MemberState
from .mobile_lookup import MobileLookup
from .notification_email import NotificationEmail
from .order_cancelled_data import OrderCancelledData
from .order_cancelled_data_status import OrderCancelledDataStatus
from .order_cancelled_event import OrderCancelledEvent
from .order_cancelled_event_type import OrderCancelledEventType
from .order_delivered_data import OrderDeliveredData
from .order_delivered_data_status import OrderDeliveredDataStatus
from .order_delivered_event import OrderDeliveredEvent
from .order_delivered_event_type import OrderDeliveredEventType
from .order_failed_data import OrderFailedData
from .order_failed_data_status import OrderFailedDataStatus
from .order_failed_event import OrderFailedEvent
from .order_failed_event_type import OrderFailedEventType
from .order_partially_delivered_data import OrderPartiallyDeliveredData
from .order_partially_delivered_data_status import OrderPartiallyDeliveredDataStatus
from .order_partially_delivered_event import OrderPartiallyDeliveredEvent
from .order_partially_delivered_event_type import OrderPartiallyDeliveredEventType
from .order_refund import OrderRefund
from .order_refunded_data import OrderRefundedData
from .order_refunded_data_status import OrderRefundedDataStatus
from .order_refunded_event import OrderRefundedEvent
from .order_refunded_event_type import OrderRefundedEventType
from .recipient_erasure import RecipientErasure
from .recipient_erasure_request import RecipientErasureRequest
from .redeliver_webhook_event_response_202 import RedeliverWebhookEventResponse202
from .refresh_request import RefreshRequest
from .replay_request import ReplayRequest
from .replay_webhook_events_response_202 import ReplayWebhookEventsResponse202
from .sandbox_esim_use import SandboxEsimUse
from .sandbox_funds import SandboxFunds
from .sandbox_scenario import SandboxScenario
from .sandbox_scenario_body import SandboxScenarioBody
from .sandbox_scenario_final_status import SandboxScenarioFinalStatus
from .sandbox_scenario_headers import SandboxScenarioHeaders
from .sandbox_scenario_initial_status import SandboxScenarioInitialStatus
from .sandbox_scenario_method import SandboxScenarioMethod
from .scope import Scope
from .session import Session
from .set_esim_order_email_response_200 import SetEsimOrderEmailResponse200
from .set_topup_order_email_response_200 import SetTopupOrderEmailResponse200
from .set_voucher_order_email_response_200 import SetVoucherOrderEmailResponse200
from .subcategory import Subcategory
from .token_pair import TokenPair
from .topup_cancelled_data import TopupCancelledData
from .topup_cancelled_data_status import TopupCancelledDataStatus
from .topup_cancelled_event import TopupCancelledEvent
from .topup_cancelled_event_type import TopupCancelledEventType
from .topup_charges_request import TopupChargesRequest
from .topup_claim_request import TopupClaimRequest
from .topup_claim_request_kind import TopupClaimRequestKind
from .topup_delivered_data import TopupDeliveredData
from .topup_delivered_data_status import TopupDeliveredDataStatus
from .topup_delivered_event import TopupDeliveredEvent
from .topup_delivered_event_type import TopupDeliveredEventType
from .topup_failed_data import TopupFailedData
from .topup_failed_data_status import TopupFailedDataStatus
from .topup_failed_event import TopupFailedEvent
from .topup_failed_event_type import TopupFailedEventType
from .topup_order import TopupOrder
from .topup_order_input_data_type_0 import TopupOrderInputDataType0
from .topup_order_item import TopupOrderItem
from .topup_order_item_replacements_item import TopupOrderItemReplacementsItem
from .topup_order_item_replaces import TopupOrderItemReplaces
from .topup_order_replacements_item import TopupOrderReplacementsItem
from .topup_order_replaces import TopupOrderReplaces
from .topup_order_request import TopupOrderRequest
from .topup_order_request_input_data_type_0 import TopupOrderRequestInputDataType0
from .topup_order_status import TopupOrderStatus
from .topup_product import TopupProduct
from .topup_product_detail import TopupProductDetail
from .topup_product_detail_topup_type import TopupProductDetailTopupType
from .topup_product_topup_type import TopupProductTopupType
from .topup_refunded_data import TopupRefundedData
from .topup_refunded_data_status import TopupRefundedDataStatus
from .topup_refunded_event import TopupRefundedEvent
from .topup_refunded_event_type import TopupRefundedEventType
from .topup_variant import TopupVariant
from .topup_variant_available_in_item import TopupVariantAvailableInItem
from .topup_variant_fields_item import TopupVariantFieldsItem
from .transaction import Transaction
from .transaction_order_family import TransactionOrderFamily
from .transaction_status import TransactionStatus
from .transaction_transaction_type import TransactionTransactionType
from .voucher import Voucher
from .voucher_charges import VoucherCharges
from .voucher_charges_charges_details import VoucherChargesChargesDetails
from .voucher_charges_request import VoucherChargesRequest
from .voucher_claim_request import VoucherClaimRequest
from .voucher_claim_request_kind import VoucherClaimRequestKind
from .voucher_order import VoucherOrder
from .voucher_order_item import VoucherOrderItem
from .voucher_order_item_replacements_item import VoucherOrderItemReplacementsItem
from .voucher_order_item_replaces import VoucherOrderItemReplaces
from .voucher_order_replacements_item import VoucherOrderReplacementsItem
from .voucher_order_replaces import VoucherOrderReplaces
from .voucher_order_request import VoucherOrderRequest
from .voucher_order_status import VoucherOrderStatus
from .voucher_product import VoucherProduct
from .voucher_product_available_denominations_item import VoucherProductAvailableDenominationsItem
from .voucher_product_delivery_mode_type_1 import VoucherProductDeliveryModeType1
from .voucher_product_delivery_mode_type_2_type_1 import VoucherProductDeliveryModeType2Type1
from .voucher_product_delivery_mode_type_3_type_1 import VoucherProductDeliveryModeType3Type1
from .voucher_product_delivery_time_type_1 import VoucherProductDeliveryTimeType1
from .voucher_product_delivery_time_type_2_type_1 import VoucherProductDeliveryTimeType2Type1
from .voucher_product_delivery_time_type_3_type_1 import VoucherProductDeliveryTimeType3Type1
from .voucher_product_detail import VoucherProductDetail
from .voucher_product_detail_available_denominations_item import VoucherProductDetailAvailableDenominationsItem
from .voucher_product_detail_delivery_mode_type_1 import VoucherProductDetailDeliveryModeType1
from .voucher_product_detail_delivery_mode_type_2_type_1 import VoucherProductDetailDeliveryModeType2Type1
from .voucher_product_detail_delivery_mode_type_3_type_1 import VoucherProductDetailDeliveryModeType3Type1
from .voucher_product_detail_delivery_time_type_1 import VoucherProductDetailDeliveryTimeType1
from .voucher_product_detail_delivery_time_type_2_type_1 import VoucherProductDetailDeliveryTimeType2Type1
from .voucher_product_detail_delivery_time_type_3_type_1 import VoucherProductDetailDeliveryTimeType3Type1
from .wallet import Wallet
from .wallet_credited_event import WalletCreditedEvent
from .wallet_credited_event_type import WalletCreditedEventType
from .wallet_debited_event import WalletDebitedEvent
from .wallet_debited_event_type import WalletDebitedEventType
from .wallet_entry_data import WalletEntryData
from .wallet_entry_data_order_family import WalletEntryDataOrderFamily
from .wallet_low_balance_data import WalletLowBalanceData
from .wallet_low_balance_data_order_family import WalletLowBalanceDataOrderFamily
from .wallet_low_balance_event import WalletLowBalanceEvent
from .wallet_low_balance_event_type import WalletLowBalanceEventType
from .webhook_attempt import WebhookAttempt
from .webhook_delivery import WebhookDelivery
from .webhook_delivery_status import WebhookDeliveryStatus
from .webhook_endpoint import WebhookEndpoint
from .webhook_endpoint_change import WebhookEndpointChange
from .webhook_endpoint_disabled_reason_type_1 import WebhookEndpointDisabledReasonType1
from .webhook_endpoint_disabled_reason_type_2_type_1 import WebhookEndpointDisabledReasonType2Type1
from .webhook_endpoint_disabled_reason_type_3_type_1 import WebhookEndpointDisabledReasonType3Type1
from .webhook_endpoint_request import WebhookEndpointRequest
from .webhook_event import WebhookEvent
from .webhook_event_data import WebhookEventData
from .webhook_event_detail import WebhookEventDetail
from .webhook_event_detail_data import WebhookEventDetailData
from .webhook_resend import WebhookResend
from .webhook_secret import WebhookSecret
from .webhook_test_data import WebhookTestData
from .webhook_test_event import WebhookTestEvent
from .webhook_test_event_type import WebhookTestEventType

__all__ = (
    "ActivationStatus",
    "Activity",
    "AllowedNetworks",
    "AllowedNetworksRequest",
    "ApiKey",
    "ApiKeyRequest",
    "ApiKeyRoll",
    "Category",
    "Charges",
    "ChargesChargesDetails",
    "Claim",
    "ClaimOrderFamily",
    "ClaimOutcomeType1",
    "ClaimOutcomeType2Type1",
    "ClaimOutcomeType3Type1",
    "ClaimUpdatedData",
    "ClaimUpdatedDataOrderFamily",
    "ClaimUpdatedDataOutcomeType1",
    "ClaimUpdatedDataOutcomeType2Type1",
    "ClaimUpdatedDataOutcomeType3Type1",
    "ClaimUpdatedEvent",
    "ClaimUpdatedEventType",
    "Country",
    "CreatedApiKey",
    "CreatedVoucherOrder",
    "CreatedVoucherOrderReplacementsItem",
    "CreatedVoucherOrderReplaces",
    "CreatedWebhookEndpoint",
    "CreatedWebhookEndpointDisabledReasonType1",
    "CreatedWebhookEndpointDisabledReasonType2Type1",
    "CreatedWebhookEndpointDisabledReasonType3Type1",
    "CreateEsimOrderSandboxFault",
    "CreateTopupOrderSandboxFault",
    "CreateVoucherOrderSandboxFault",
    "Currency",
    "EndpointEventType",
    "Error",
    "ErrorError",
    "EsimActivatedData",
    "EsimActivatedDataActivationStatusType1",
    "EsimActivatedDataActivationStatusType2Type1",
    "EsimActivatedDataActivationStatusType3Type1",
    "EsimActivatedDataStatus",
    "EsimActivatedEvent",
    "EsimActivatedEventType",
    "EsimCancelledData",
    "EsimCancelledDataActivationStatusType1",
    "EsimCancelledDataActivationStatusType2Type1",
    "EsimCancelledDataActivationStatusType3Type1",
    "EsimCancelledDataStatus",
    "EsimCancelledEvent",
    "EsimCancelledEventType",
    "EsimChargesRequest",
    "EsimClaimRequest",
    "EsimClaimRequestKind",
    "EsimDeliveredData",
    "EsimDeliveredDataActivationStatusType1",
    "EsimDeliveredDataActivationStatusType2Type1",
    "EsimDeliveredDataActivationStatusType3Type1",
    "EsimDeliveredDataStatus",
    "EsimDeliveredEvent",
    "EsimDeliveredEventType",
    "EsimDepletedData",
    "EsimDepletedDataActivationStatusType1",
    "EsimDepletedDataActivationStatusType2Type1",
    "EsimDepletedDataActivationStatusType3Type1",
    "EsimDepletedDataStatus",
    "EsimDepletedEvent",
    "EsimDepletedEventType",
    "EsimFailedData",
    "EsimFailedDataActivationStatusType1",
    "EsimFailedDataActivationStatusType2Type1",
    "EsimFailedDataActivationStatusType3Type1",
    "EsimFailedDataStatus",
    "EsimFailedEvent",
    "EsimFailedEventType",
    "EsimInstallation",
    "EsimInstallationLinksType0",
    "EsimInstalledData",
    "EsimInstalledDataActivationStatusType1",
    "EsimInstalledDataActivationStatusType2Type1",
    "EsimInstalledDataActivationStatusType3Type1",
    "EsimInstalledDataStatus",
    "EsimInstalledEvent",
    "EsimInstalledEventType",
    "EsimOrder",
    "EsimOrderItem",
    "EsimOrderItemReplacementsItem",
    "EsimOrderItemReplaces",
    "EsimOrderReplacementsItem",
    "EsimOrderReplaces",
    "EsimOrderRequest",
    "EsimOrderStatus",
    "EsimProduct",
    "EsimProductDetail",
    "EsimRefundedData",
    "EsimRefundedDataActivationStatusType1",
    "EsimRefundedDataActivationStatusType2Type1",
    "EsimRefundedDataActivationStatusType3Type1",
    "EsimRefundedDataStatus",
    "EsimRefundedEvent",
    "EsimRefundedEventType",
    "EsimUsage",
    "EsimUsageData",
    "EsimUsageDataActivationStatusType1",
    "EsimUsageDataActivationStatusType2Type1",
    "EsimUsageDataActivationStatusType3Type1",
    "EsimUsageDataStatus",
    "EsimUsageDataThresholdPercent",
    "EsimUsageEvent",
    "EsimUsageEventType",
    "EsimVariant",
    "EsimVariantDetail",
    "EsimVariantDetailRegionsItem",
    "GetOpenApiDocumentResponse200",
    "InputField",
    "InputFieldFieldType",
    "InputFieldOptionsItem",
    "ListClaimsState",
    "ListEsimOrdersStatus",
    "ListTopupOrdersStatus",
    "ListTopupProductsType",
    "ListVoucherOrdersStatus",
    "ListVoucherProductsSortBy",
    "ListVoucherProductsSortDir",
    "ListWebhookEventsType",
    "LoginRequest",
    "LowBalanceThreshold",
    "Member",
    "MemberChange",
    "MemberChangeState",
    "MemberRequest",
    "MemberRole",
    "MemberState",
    "MobileLookup",
    "NotificationEmail",
    "OrderCancelledData",
    "OrderCancelledDataStatus",
    "OrderCancelledEvent",
    "OrderCancelledEventType",
    "OrderDeliveredData",
    "OrderDeliveredDataStatus",
    "OrderDeliveredEvent",
    "OrderDeliveredEventType",
    "OrderFailedData",
    "OrderFailedDataStatus",
    "OrderFailedEvent",
    "OrderFailedEventType",
    "OrderPartiallyDeliveredData",
    "OrderPartiallyDeliveredDataStatus",
    "OrderPartiallyDeliveredEvent",
    "OrderPartiallyDeliveredEventType",
    "OrderRefund",
    "OrderRefundedData",
    "OrderRefundedDataStatus",
    "OrderRefundedEvent",
    "OrderRefundedEventType",
    "RecipientErasure",
    "RecipientErasureRequest",
    "RedeliverWebhookEventResponse202",
    "RefreshRequest",
    "ReplayRequest",
    "ReplayWebhookEventsResponse202",
    "SandboxEsimUse",
    "SandboxFunds",
    "SandboxScenario",
    "SandboxScenarioBody",
    "SandboxScenarioFinalStatus",
    "SandboxScenarioHeaders",
    "SandboxScenarioInitialStatus",
    "SandboxScenarioMethod",
    "Scope",
    "Session",
    "SetEsimOrderEmailResponse200",
    "SetTopupOrderEmailResponse200",
    "SetVoucherOrderEmailResponse200",
    "Subcategory",
    "TokenPair",
    "TopupCancelledData",
    "TopupCancelledDataStatus",
    "TopupCancelledEvent",
    "TopupCancelledEventType",
    "TopupChargesRequest",
    "TopupClaimRequest",
    "TopupClaimRequestKind",
    "TopupDeliveredData",
    "TopupDeliveredDataStatus",
    "TopupDeliveredEvent",
    "TopupDeliveredEventType",
    "TopupFailedData",
    "TopupFailedDataStatus",
    "TopupFailedEvent",
    "TopupFailedEventType",
    "TopupOrder",
    "TopupOrderInputDataType0",
    "TopupOrderItem",
    "TopupOrderItemReplacementsItem",
    "TopupOrderItemReplaces",
    "TopupOrderReplacementsItem",
    "TopupOrderReplaces",
    "TopupOrderRequest",
    "TopupOrderRequestInputDataType0",
    "TopupOrderStatus",
    "TopupProduct",
    "TopupProductDetail",
    "TopupProductDetailTopupType",
    "TopupProductTopupType",
    "TopupRefundedData",
    "TopupRefundedDataStatus",
    "TopupRefundedEvent",
    "TopupRefundedEventType",
    "TopupVariant",
    "TopupVariantAvailableInItem",
    "TopupVariantFieldsItem",
    "Transaction",
    "TransactionOrderFamily",
    "TransactionStatus",
    "TransactionTransactionType",
    "Voucher",
    "VoucherCharges",
    "VoucherChargesChargesDetails",
    "VoucherChargesRequest",
    "VoucherClaimRequest",
    "VoucherClaimRequestKind",
    "VoucherOrder",
    "VoucherOrderItem",
    "VoucherOrderItemReplacementsItem",
    "VoucherOrderItemReplaces",
    "VoucherOrderReplacementsItem",
    "VoucherOrderReplaces",
    "VoucherOrderRequest",
    "VoucherOrderStatus",
    "VoucherProduct",
    "VoucherProductAvailableDenominationsItem",
    "VoucherProductDeliveryModeType1",
    "VoucherProductDeliveryModeType2Type1",
    "VoucherProductDeliveryModeType3Type1",
    "VoucherProductDeliveryTimeType1",
    "VoucherProductDeliveryTimeType2Type1",
    "VoucherProductDeliveryTimeType3Type1",
    "VoucherProductDetail",
    "VoucherProductDetailAvailableDenominationsItem",
    "VoucherProductDetailDeliveryModeType1",
    "VoucherProductDetailDeliveryModeType2Type1",
    "VoucherProductDetailDeliveryModeType3Type1",
    "VoucherProductDetailDeliveryTimeType1",
    "VoucherProductDetailDeliveryTimeType2Type1",
    "VoucherProductDetailDeliveryTimeType3Type1",
    "Wallet",
    "WalletCreditedEvent",
    "WalletCreditedEventType",
    "WalletDebitedEvent",
    "WalletDebitedEventType",
    "WalletEntryData",
    "WalletEntryDataOrderFamily",
    "WalletLowBalanceData",
    "WalletLowBalanceDataOrderFamily",
    "WalletLowBalanceEvent",
    "WalletLowBalanceEventType",
    "WebhookAttempt",
    "WebhookDelivery",
    "WebhookDeliveryStatus",
    "WebhookEndpoint",
    "WebhookEndpointChange",
    "WebhookEndpointDisabledReasonType1",
    "WebhookEndpointDisabledReasonType2Type1",
    "WebhookEndpointDisabledReasonType3Type1",
    "WebhookEndpointRequest",
    "WebhookEvent",
    "WebhookEventData",
    "WebhookEventDetail",
    "WebhookEventDetailData",
    "WebhookResend",
    "WebhookSecret",
    "WebhookTestData",
    "WebhookTestEvent",
    "WebhookTestEventType",
)
