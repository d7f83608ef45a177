from enum import StrEnum


class EsimActivatedEventType(StrEnum):
    ESIM_ACTIVATED = "esim.activated"

    def __str__(self) -> str:
        return str(self.value)
