# Authlib, as its documentation for clients on `requests` has it.
from os import environ as env

import requests
from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session, OAuthError
from authlib.jose import JsonWebKey, jwt
from authlib.oauth2.rfc7523 import PrivateKeyJWT
from authlib.oidc.core import CodeIDToken
from conversation import enter, tell, visit

issuer = env["ISSUER"]
device_grant = "urn:ietf:params:oauth:grant-type:device_code"


def discover():
    return requests.get(issuer + "/.well-known/openid-configuration").json()


def as_app(**more):
    app = (env["CLIENT_ID"], env.get("CLIENT_SECRET"))
    return OAuth2Session(*app, redirect_uri=env["REDIRECT_URI"], **more)


def authorized(session, server, **more):
    verifier = generate_token(48)
    url, state = session.create_authorization_url(
        server["authorization_endpoint"], code_verifier=verifier, **more
    )
    back = visit(url)
    return session.fetch_token(
        server["token_endpoint"], authorization_response=back, state=state, code_verifier=verifier
    )


def refreshed(session, url):
    """A refresh, and what is said to the same refresh token once more."""
    token = session.token["refresh_token"]
    renewal = session.refresh_token(url)
    try:
        session.refresh_token(url, refresh_token=token)
    except OAuthError as error:
        return {"next": renewal, "refusal": error.error}


def renewed(session):
    server = discover()
    first = authorized(session, server)
    return {"first": first, **refreshed(session, server["token_endpoint"])}


def code():
    return renewed(as_app(code_challenge_method="S256"))


def signed():
    """The app proves with a key of its own who it is."""
    session = as_app(code_challenge_method="S256", token_endpoint_auth_method="private_key_jwt")
    session.register_client_auth_method(PrivateKeyJWT(discover()["token_endpoint"]))
    return renewed(session)


def itself():
    return as_app().fetch_token(
        discover()["token_endpoint"],
        grant_type="client_credentials",
        organization_id=env["ORGANIZATION_ID"],
    )


def revocation():
    server = discover()
    session = as_app(code_challenge_method="S256")
    token = authorized(session, server)["access_token"]
    data_api = OAuth2Session(env["RESOURCE_SERVER_ID"], env["RESOURCE_SERVER_SECRET"])

    def introspected():
        return data_api.introspect_token(server["introspection_endpoint"], token=token).json()

    before = introspected()
    session.revoke_token(server["revocation_endpoint"], token=token, token_type_hint="access_token")
    return {"before": before, "after": introspected()}


def openid():
    server = discover()
    session = as_app(code_challenge_method="S256", scope="openid profile email")
    nonce = generate_token()
    token = authorized(session, server, nonce=nonce)
    keys = JsonWebKey.import_key_set(requests.get(server["jwks_uri"]).json())
    claims = jwt.decode(
        token["id_token"],
        keys,
        claims_cls=CodeIDToken,
        claims_options={"iss": {"value": issuer}, "aud": {"value": env["CLIENT_ID"]}},
        claims_params={
            "nonce": nonce,
            "client_id": env["CLIENT_ID"],
            "access_token": token["access_token"],
        },
    )
    claims.validate()
    return {"claims": claims, "userinfo": session.get(server["userinfo_endpoint"]).json()}


def device():
    server = discover()
    session = as_app()
    url, app = server["device_authorization_endpoint"], {"client_id": session.client_id}
    asked = session.post(url, data=app, withhold_token=True).json()
    enter(asked["user_code"])
    return session.fetch_token(
        server["token_endpoint"], grant_type=device_grant, device_code=asked["device_code"]
    )


def legacy():
    session = as_app(token_endpoint_auth_method=env["METHOD"])
    url, state = session.create_authorization_url(issuer + "/oauth/authorize")
    endpoint = issuer + "/api/oauth/access_token"
    first = session.fetch_token(endpoint, authorization_response=visit(url), state=state)
    return {"first": first, **refreshed(session, endpoint)}


def moved():
    session = as_app(token={"refresh_token": env["REFRESH_TOKEN"]})
    return refreshed(session, env["TOKEN_ENDPOINT"])


def implicit():
    session = as_app(response_type="token")
    url, state = session.create_authorization_url(issuer + "/oauth/authorize")
    return session.fetch_token(authorization_response=visit(url), state=state)


flows = [code, signed, itself, revocation, openid, device, legacy, moved, implicit]
tell({flow.__name__: flow for flow in flows})
