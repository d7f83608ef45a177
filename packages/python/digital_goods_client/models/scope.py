from enum import StrEnum


class Scope(StrEnum):
    SCOPE_ADMIN = "admin"
    SCOPE_CODES = "codes"
    SCOPE_ORDERS_ESIMS = "orders:esims"
    SCOPE_ORDERS_TOPUPS = "orders:topups"
    SCOPE_ORDERS_VOUCHERS = "orders:vouchers"
    SCOPE_READ = "read"
    SCOPE_WALLETS = "wallets"
    SCOPE_WEBHOOKS = "webhooks"

    def __str__(self) -> str:
        return str(self.value)
