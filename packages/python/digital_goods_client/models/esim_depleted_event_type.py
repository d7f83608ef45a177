from enum import StrEnum


class EsimDepletedEventType(StrEnum):
    ESIM_DEPLETED = "esim.depleted"

    def __str__(self) -> str:
        return str(self.value)
