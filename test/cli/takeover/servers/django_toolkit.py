"""A store as Django OAuth Toolkit itself fills it: 50 apps and 2,000 grants, some refreshed by the toolkit. Usage:
    python django_toolkit.py <url of an empty Postgres> <grants>
Prints a line of JSON for each app that refreshes: {"client_id","secret","token"}."""
import json
import secrets
import sys
from datetime import timedelta
from urllib.parse import parse_qs, unquote, urlsplit

import django
from django.conf import settings

url, total = urlsplit(sys.argv[1]), int(sys.argv[2])
query = parse_qs(url.query)
hashers = ["PBKDF2PasswordHasher", "PBKDF2SHA1PasswordHasher", "Argon2PasswordHasher", "BCryptSHA256PasswordHasher",
           "BCryptPasswordHasher", "ScryptPasswordHasher"]
settings.configure(
    SECRET_KEY="test",
    USE_TZ=True,
    ALLOWED_HOSTS=["*"],
    ROOT_URLCONF="django_toolkit_urls",
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "oauth2_provider"],
    PASSWORD_HASHERS=[f"django.contrib.auth.hashers.{name}" for name in hashers],
    OAUTH2_PROVIDER={"SCOPES": {"write": "write", "odd": "odd"}},
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    DATABASES={"default": {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": url.path[1:],
        "USER": query.get("user", [unquote(url.username or "")])[0],
        "PASSWORD": unquote(url.password or ""),
        "HOST": query.get("host", [url.hostname])[0],
        "PORT": query.get("port", [str(url.port or "")])[0],
    }},
)
urls = type(sys)("django_toolkit_urls")
sys.modules["django_toolkit_urls"] = urls
django.setup()

from django.contrib.auth.models import User  # noqa: E402
from django.contrib.auth.hashers import make_password  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.test import Client  # noqa: E402
from django.urls import include, path  # noqa: E402
from django.utils import timezone  # noqa: E402
from oauth2_provider.models import AccessToken, Application, RefreshToken  # noqa: E402

urls.urlpatterns = [path("o/", include("oauth2_provider.urls", namespace="oauth2_provider"))]
call_command("migrate", verbosity=0)

names = ["pbkdf2_sha256", "pbkdf2_sha1", "argon2", "bcrypt_sha256", "bcrypt", "scrypt", None]
people = []
for at in range(40):
    person = User(username=f"person{at}", email=f"person{at}@example.com", first_name="Person", last_name=str(at))
    person.password = make_password(f"password {at}", hasher=names[at % 6]) if at < 6 else "!"
    person.save()
    people.append(person)
apps = []
for at in range(50):
    secret, name, is_public = secrets.token_urlsafe(48), names[at % 7], at % 8 == 7
    app = Application(
        name=f"App {at}", client_type="public" if is_public else "confidential", hash_client_secret=name is not None,
        authorization_grant_type="authorization-code", redirect_uris=f"https://app{at}.example/cb",
        client_secret="" if is_public else make_password(secret, hasher=name) if name else secret,
    )
    app.save()
    apps.append((app, "" if is_public else secret))
client = Client()
now = timezone.now()
for at in range(total):
    (app, secret), person = apps[at % 50], people[at % 40]
    scope = "write odd" if at == 0 else "write"
    token = secrets.token_urlsafe(32)
    access = AccessToken.objects.create(
        user=person, application=app, token=secrets.token_urlsafe(32), scope=scope, expires=now + timedelta(hours=1))
    RefreshToken.objects.create(user=person, application=app, token=token, access_token=access)
    # The toolkit itself refreshes some.
    if at < 100 and at % 5 == 0:
        fields = {"grant_type": "refresh_token", "refresh_token": token, "client_id": app.client_id, "client_secret": secret}
        token = client.post("/o/token/", {name: value for name, value in fields.items() if value}).json()["refresh_token"]
    if at < 200:
        print(json.dumps({"client_id": app.client_id, "secret": secret, "token": token}))
