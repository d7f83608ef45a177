from enum import StrEnum


class TransactionTransactionType(StrEnum):
    CREDIT = "CREDIT"
    DEBIT = "DEBIT"

    def __str__(self) -> str:
        return str(self.value)
