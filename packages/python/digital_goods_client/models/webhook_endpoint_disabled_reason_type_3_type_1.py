from enum import StrEnum


class WebhookEndpointDisabledReasonType3Type1(StrEnum):
    FAILING = "FAILING"
    GONE = "GONE"

    def __str__(self) -> str:
        return str(self.value)
