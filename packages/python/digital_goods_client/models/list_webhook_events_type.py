from enum import StrEnum


class ListWebhookEventsType(StrEnum):
    CLAIM_UPDATED = "claim.updated"
    ESIM_ACTIVATED = "esim.activated"
    ESIM_CANCELLED = "esim.cancelled"
    ESIM_DELIVERED = "esim.delivered"
    ESIM_DEPLETED = "esim.depleted"
    ESIM_FAILED = "esim.failed"
    ESIM_INSTALLED = "esim.installed"
    ESIM_REFUNDED = "esim.refunded"
    ESIM_USAGE = "esim.usage"
    ORDER_CANCELLED = "order.cancelled"
    ORDER_DELIVERED = "order.delivered"
    ORDER_FAILED = "order.failed"
    ORDER_PARTIALLY_DELIVERED = "order.partially_delivered"
    ORDER_REFUNDED = "order.refunded"
    TOPUP_CANCELLED = "topup.cancelled"
    TOPUP_DELIVERED = "topup.delivered"
    TOPUP_FAILED = "topup.failed"
    TOPUP_REFUNDED = "topup.refunded"
    WALLET_CREDITED = "wallet.credited"
    WALLET_DEBITED = "wallet.debited"
    WALLET_LOW_BALANCE = "wallet.low_balance"
    WEBHOOK_TEST = "webhook.test"

    def __str__(self) -> str:
        return str(self.value)
