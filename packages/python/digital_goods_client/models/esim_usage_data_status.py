from enum import StrEnum


class EsimUsageDataStatus(StrEnum):
    DELIVERED = "DELIVERED"

    def __str__(self) -> str:
        return str(self.value)
