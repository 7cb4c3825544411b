"""The verbs of accounts, one function each; the ports they need come in as `Accounts`, the asker as `by`."""

from almanac.accounts.service.links import (
    first_run_link,
    inspect_link,
    invite_user,
    issue_sign_in_link,
    request_password_reset,
    resend_invitation,
    send_reset_link,
    sign_in_with_link,
)
from almanac.accounts.service.sessions import (
    delete_expired_credentials,
    end_other_sessions,
    end_session,
    list_sessions,
    sign_out,
)
from almanac.accounts.service.sign_in import change_password, choose_password, sign_in
from almanac.accounts.service.sign_on import SignedOn, SignOnStart, begin_sign_on, finish_sign_on
from almanac.accounts.service.tokens import create_token, list_all_tokens, list_tokens, revoke_token
from almanac.accounts.service.users import (
    UserEdit,
    change_role,
    create_user,
    deactivate_user,
    edit_user,
    end_tour,
    get_user,
    get_user_by_email,
    list_users,
    reactivate_user,
    rename_user,
    set_preferences,
)
from almanac.accounts.store import UserFilter

__all__ = [
    "SignOnStart",
    "SignedOn",
    "UserEdit",
    "UserFilter",
    "begin_sign_on",
    "change_password",
    "change_role",
    "choose_password",
    "create_token",
    "create_user",
    "deactivate_user",
    "delete_expired_credentials",
    "edit_user",
    "end_other_sessions",
    "end_session",
    "end_tour",
    "finish_sign_on",
    "first_run_link",
    "get_user",
    "get_user_by_email",
    "inspect_link",
    "invite_user",
    "issue_sign_in_link",
    "list_all_tokens",
    "list_sessions",
    "list_tokens",
    "list_users",
    "reactivate_user",
    "rename_user",
    "request_password_reset",
    "resend_invitation",
    "revoke_token",
    "send_reset_link",
    "set_preferences",
    "sign_in",
    "sign_in_with_link",
    "sign_out",
]
