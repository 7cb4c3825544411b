"""Why a step was not written. None of these errors carries a model's answer, so it can't become content.

ModelFailure
├── ModelRateLimited   TooMany      the provider asks to slow down; carries when to retry
├── ModelUnavailable   Unavailable  timed out, a server error, a broken connection
├── BudgetUsedUp       Paused       the monthly cap is reached; goes on next month or when the cap is raised
├── TooLongForModel    TooLarge     the sources, or the answer, are longer than the model accepts
├── ModelRefused       Conflict     the model, or its provider's filter, declined
├── MalformedAnswer                 the answer failed validation, also after one repair
├── EmptyAnswer                     the answer says nothing
├── ModelUnusable      Conflict     the key, the model's name or the account is rejected: a setting must change
├── NoSearchPerformed  Conflict     a search was asked for, and the model answered without one
└── ModelNeeded        Conflict     the step can't be done by extraction, and no model is set
"""

from datetime import datetime, timedelta
from decimal import Decimal

from almanac.errors import AlmanacError, Conflict, Paused, TooLarge, TooMany, Unavailable
from almanac.kit.messages import gettext

DEFAULT_RETRY_SECONDS = 30.0


class ModelFailure(AlmanacError):
    """A step was not written. `outcome` is its name in the ledger.

    After `retry_later` the same question may well be answered, so who falls back to extraction asks again.
    """

    outcome = "failed"
    retry_later: timedelta | None = None


class ModelRateLimited(ModelFailure, TooMany, code="model_rate_limited"):
    """The provider asks to slow down."""

    outcome = "rate limited"

    def __init__(self, model: str, asked: float | None = None) -> None:
        """`asked` is the wait in seconds that the provider asked for, if any."""
        self.asked = asked
        seconds = max(1, round(asked or DEFAULT_RETRY_SECONDS))
        super().__init__(
            gettext("%(model)s asks to slow down; it will be retried in %(seconds)s s.", model=model, seconds=seconds),
            seconds,
        )


class ModelUnavailable(ModelFailure, Unavailable, code="model_unavailable"):
    """The provider timed out, failed or closed the connection."""

    outcome = "not answering"

    def __init__(self, model: str, what: str) -> None:
        super().__init__(gettext("%(model)s %(what)s; try again in a while.", model=model, what=what))


class BudgetUsedUp(ModelFailure, Paused, code="model_budget_used_up"):
    """This month's cap is reached. Work waits; no model was asked."""

    outcome = "paused"

    def __init__(self, spent: Decimal, cap: Decimal, until: datetime) -> None:
        super().__init__(
            gettext(
                "This month's cap for models is used up ($%(spent)s of $%(cap)s); work that needs one waits "
                "until %(until)s, or until ALMANAC_LLM_MONTHLY_CAP is raised.",
                spent=f"{spent:,.2f}",
                cap=f"{cap:,.2f}",
                until=until.date(),
            ),
            until,
        )


class TooLongForModel(ModelFailure, TooLarge, code="model_too_long"):
    """The sources, or the answer, are longer than the model accepts."""

    outcome = "too long"

    def __init__(self, model: str, *, answer: bool = False) -> None:
        """`answer` says that the answer is what would be too long."""
        super().__init__(
            gettext(
                "The answer would be too long for %(model)s; use fewer or shorter sources, or another model.",
                model=model,
            )
            if answer
            else gettext(
                "The sources are too long for %(model)s; use fewer or shorter sources, or another model.", model=model
            )
        )


class ModelRefused(ModelFailure, Conflict, code="model_refused"):
    """The model, or its provider's filter, declined to write this."""

    outcome = "refused"

    def __init__(self, model: str) -> None:
        super().__init__(
            gettext("%(model)s refused to write this; change the sources, or write it without that model.", model=model)
        )


class MalformedAnswer(ModelFailure, code="model_malformed", status=502):
    """The answer twice failed validation."""

    outcome = "malformed"
    retry_later = timedelta(hours=1)

    def __init__(self, model: str, why: str = "") -> None:
        """`why` is in our own words, never in those of the answer."""
        super().__init__(
            gettext(
                "%(model)s gave an unusable answer twice (%(why)s); try again, or set another model for the step.",
                model=model,
                why=why,
            )
            if why
            else gettext(
                "%(model)s gave an unusable answer twice; try again, or set another model for the step.", model=model
            )
        )


class EmptyAnswer(ModelFailure, code="model_empty", status=502):
    """The answer has the right form and says nothing."""

    outcome = "empty"
    retry_later = timedelta(hours=1)

    def __init__(self, model: str) -> None:
        super().__init__(
            gettext("%(model)s wrote nothing about this; try again, or set another model for the step.", model=model)
        )


class ModelUnusable(ModelFailure, Conflict, code="model_unusable"):
    """The provider rejects the key, the model's name or the request."""

    outcome = "unusable"

    def __init__(self, model: str, why: str) -> None:
        super().__init__(gettext("%(model)s can't be used: %(why)s.", model=model, why=why))


class NoSearchPerformed(ModelFailure, Conflict, code="model_nothing_searched"):
    """The model answered without a search, so the pages it names may be invented."""

    outcome = "nothing searched"

    def __init__(self, model: str) -> None:
        super().__init__(
            gettext(
                "%(model)s answered without searching the web, so the answer is not used; set another model for "
                "the step web_search in ALMANAC_LLM_STEPS.",
                model=model,
            )
        )


class ModelNeeded(ModelFailure, Conflict, code="model_needed"):
    """This step can't be done by extraction."""

    outcome = "model needed"

    def __init__(self, step: str) -> None:
        super().__init__(
            gettext("The step %(step)s needs a model, and none is set for it; set ALMANAC_LLM_MODEL.", step=step)
        )
