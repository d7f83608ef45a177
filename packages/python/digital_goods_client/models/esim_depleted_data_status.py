from enum import StrEnum


class EsimDepletedDataStatus(StrEnum):
    DELIVERED = "DELIVERED"

    def __str__(self) -> str:
        return str(self.value)
