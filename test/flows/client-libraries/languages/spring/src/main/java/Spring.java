// Spring Security's client: an app that keeps the refresh token of an earlier server.
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.springframework.security.oauth2.client.endpoint.OAuth2RefreshTokenGrantRequest;
import org.springframework.security.oauth2.client.endpoint.RestClientRefreshTokenTokenResponseClient;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.OAuth2AccessToken;
import org.springframework.security.oauth2.core.OAuth2AuthorizationException;
import org.springframework.security.oauth2.core.OAuth2RefreshToken;
import org.springframework.security.oauth2.core.endpoint.OAuth2AccessTokenResponse;

public class Spring {
    private static OAuth2AccessTokenResponse refresh() {
        String issuer = System.getenv("ISSUER");
        ClientRegistration app = ClientRegistration.withRegistrationId("moved")
            .clientId(System.getenv("CLIENT_ID"))
            .clientSecret(System.getenv("CLIENT_SECRET"))
            .authorizationGrantType(AuthorizationGrantType.AUTHORIZATION_CODE)
            .redirectUri(System.getenv("REDIRECT_URI"))
            .authorizationUri(issuer + "/authorize")
            .tokenUri(System.getenv("TOKEN_ENDPOINT"))
            .build();
        Instant now = Instant.now();
        return new RestClientRefreshTokenTokenResponseClient().getTokenResponse(
            new OAuth2RefreshTokenGrantRequest(
                app,
                new OAuth2AccessToken(
                    OAuth2AccessToken.TokenType.BEARER, "expired", now.minusSeconds(60), now),
                new OAuth2RefreshToken(System.getenv("REFRESH_TOKEN"), now)));
    }

    public static void main(String[] args) throws Exception {
        OAuth2AccessTokenResponse next = refresh();
        OAuth2AccessToken token = next.getAccessToken();
        Map<String, Object> told = new HashMap<>(next.getAdditionalParameters());
        told.put("access_token", token.getTokenValue());
        told.put("refresh_token", next.getRefreshToken().getTokenValue());
        told.put("token_type", token.getTokenType().getValue());
        told.put("scope", token.getScopes());
        told.put("expires_in",
            token.getExpiresAt().getEpochSecond() - token.getIssuedAt().getEpochSecond());
        String refusal = "";
        try {
            refresh();
        } catch (OAuth2AuthorizationException refused) {
            refusal = refused.getError().getErrorCode();
        }
        Map<String, Object> all = Map.of("next", told, "refusal", refusal);
        System.out.println("tell " + new ObjectMapper().writeValueAsString(all));
    }
}
