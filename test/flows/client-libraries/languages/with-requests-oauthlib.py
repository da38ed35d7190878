# requests-oauthlib, on oauthlib.
from os import environ as env

import requests
from conversation import enter, tell, visit
from oauthlib.oauth2 import (
    BackendApplicationClient,
    DeviceClient,
    MobileApplicationClient,
    OAuth2Error,
    WebApplicationClient,
)
from requests_oauthlib import OAuth2Session

env["OAUTHLIB_INSECURE_TRANSPORT"] = "1"
issuer = env["ISSUER"]
client_id = env["CLIENT_ID"]
secret = env.get("CLIENT_SECRET")
token_url = issuer + "/api/oauth/token"
legacy_url = issuer + "/api/oauth/access_token"

# The library leaves it to the app where a refresh has its credentials.
in_header = {"auth": (client_id, secret)}
in_body = {"client_id": client_id, **({"client_secret": secret} if secret else {})}


def refreshed(session, url, credentials):
    """A refresh, and what is said to the same refresh token once more."""
    token = session.token["refresh_token"]
    renewal = session.refresh_token(url, **credentials)
    try:
        session.refresh_token(url, refresh_token=token, **credentials)
    except OAuth2Error as error:
        return {"next": renewal, "refusal": error.error}


def authorized(client):
    session = OAuth2Session(client=client, redirect_uri=env["REDIRECT_URI"])
    verifier = client.create_code_verifier(64)
    challenge = client.create_code_challenge(verifier, "S256")
    url, _ = session.authorization_url(
        issuer + "/authorize", code_challenge=challenge, code_challenge_method="S256"
    )
    session.fetch_token(
        token_url, authorization_response=visit(url), client_secret=secret, code_verifier=verifier
    )
    return session


def code():
    session = authorized(WebApplicationClient(client_id))
    first = session.token
    return {"first": first, **refreshed(session, token_url, in_header if secret else in_body)}


def itself():
    session = OAuth2Session(client=BackendApplicationClient(client_id))
    organization = env["ORGANIZATION_ID"]
    return session.fetch_token(token_url, client_secret=secret, organization_id=organization)


def revocation():
    client = WebApplicationClient(client_id)
    token = authorized(client).token["access_token"]

    def introspected():
        data_api = (env["RESOURCE_SERVER_ID"], env["RESOURCE_SERVER_SECRET"])
        url = issuer + "/api/oauth/introspect"
        return requests.post(url, {"token": token}, auth=data_api).json()

    before = introspected()
    revoke = issuer + "/api/oauth/revoke"
    url, headers, body = client.prepare_token_revocation_request(revoke, token)
    requests.post(url, body, headers=headers, auth=(client_id, secret)).raise_for_status()
    return {"before": before, "after": introspected()}


def device():
    client = DeviceClient(client_id)
    url = issuer + "/api/oauth/device_authorization"
    asked = requests.post(url, {"client_id": client_id}).json()
    enter(asked["user_code"])
    body = client.prepare_request_body(asked["device_code"], include_client_id=True)
    headers = {"content-type": "application/x-www-form-urlencoded"}
    return client.parse_request_body_response(requests.post(token_url, body, headers=headers).text)


def legacy():
    session = OAuth2Session(client_id, redirect_uri=env["REDIRECT_URI"])
    url, _ = session.authorization_url(issuer + "/oauth/authorize")
    posts = env["METHOD"] == "client_secret_post"
    # The header is its default.
    more = {"include_client_id": True} if posts else {}
    back = visit(url)
    first = session.fetch_token(
        legacy_url, authorization_response=back, client_secret=secret, **more
    )
    return {"first": first, **refreshed(session, legacy_url, in_body if posts else in_header)}


def moved():
    session = OAuth2Session(client_id, token={"refresh_token": env["REFRESH_TOKEN"]})
    return refreshed(session, env["TOKEN_ENDPOINT"], in_header)


def implicit():
    client = MobileApplicationClient(client_id)
    session = OAuth2Session(client=client, redirect_uri=env["REDIRECT_URI"])
    url, _ = session.authorization_url(issuer + "/oauth/authorize")
    return session.token_from_fragment(visit(url))


flows = [code, itself, revocation, device, legacy, moved, implicit]
tell({flow.__name__: flow for flow in flows})
