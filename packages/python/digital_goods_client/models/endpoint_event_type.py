from enum import StrEnum


class EndpointEventType(StrEnum):
    ENDPOINT_EVENT_TYPE_CLAIM_UPDATED = "claim.updated"
    ENDPOINT_EVENT_TYPE_ESIM_ACTIVATED = "esim.activated"
    ENDPOINT_EVENT_TYPE_ESIM_CANCELLED = "esim.cancelled"
    ENDPOINT_EVENT_TYPE_ESIM_DELIVERED = "esim.delivered"
    ENDPOINT_EVENT_TYPE_ESIM_DEPLETED = "esim.depleted"
    ENDPOINT_EVENT_TYPE_ESIM_FAILED = "esim.failed"
    ENDPOINT_EVENT_TYPE_ESIM_INSTALLED = "esim.installed"
    ENDPOINT_EVENT_TYPE_ESIM_REFUNDED = "esim.refunded"
    ENDPOINT_EVENT_TYPE_ESIM_USAGE = "esim.usage"
    ENDPOINT_EVENT_TYPE_ORDER_CANCELLED = "order.cancelled"
    ENDPOINT_EVENT_TYPE_ORDER_DELIVERED = "order.delivered"
    ENDPOINT_EVENT_TYPE_ORDER_FAILED = "order.failed"
    ENDPOINT_EVENT_TYPE_ORDER_PARTIALLY_DELIVERED = "order.partially_delivered"
    ENDPOINT_EVENT_TYPE_ORDER_REFUNDED = "order.refunded"
    ENDPOINT_EVENT_TYPE_TOPUP_CANCELLED = "topup.cancelled"
    ENDPOINT_EVENT_TYPE_TOPUP_DELIVERED = "topup.delivered"
    ENDPOINT_EVENT_TYPE_TOPUP_FAILED = "topup.failed"
    ENDPOINT_EVENT_TYPE_TOPUP_REFUNDED = "topup.refunded"
    ENDPOINT_EVENT_TYPE_WALLET_CREDITED = "wallet.credited"
    ENDPOINT_EVENT_TYPE_WALLET_DEBITED = "wallet.debited"
    ENDPOINT_EVENT_TYPE_WALLET_LOW_BALANCE = "wallet.low_balance"

    def __str__(self) -> str:
        return str(self.value)
