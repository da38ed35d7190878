# Net::OAuth2.
use strict;
use warnings;
use Digest::SHA 'sha256';
use JSON::MaybeXS qw(decode_json encode_json);
use MIME::Base64 qw(decode_base64url encode_base64url);
use Net::OAuth2::Profile::WebServer;

$| = 1;
my $issuer = $ENV{ISSUER};

# Sends the person there, and returns the code with which they come back to the app.
sub visit {
    my ($address, $state) = @_;
    print "visit $address\n";
    chomp(my $back = <STDIN>);
    my %answer = URI->new($back)->query_form;
    $answer{state} eq $state or die 'the state of another request';
    return $answer{code};
}

sub random { return encode_base64url(join '', map { chr int rand 256 } 1 .. 32) }

sub told {
    my $token = shift;
    return {
        access_token    => $token->access_token,
        refresh_token   => $token->refresh_token,
        token_type      => $token->token_type,
        expires_in      => $token->expires_in,
        scope           => $token->scope,
        organization_id => $token->attribute('organization_id'),
    };
}

sub app {
    return Net::OAuth2::Profile::WebServer->new(
        client_id     => $ENV{CLIENT_ID},
        client_secret => $ENV{CLIENT_SECRET},
        redirect_uri  => $ENV{REDIRECT_URI},
        site          => $issuer,
        @_,
    );
}

# A refresh, and what is said to the same refresh token once more.
sub refreshed {
    my ($app, $token) = @_;
    my $first = told($token);
    $token->refresh;
    my $next = told($token);
    my $spent = Net::OAuth2::AccessToken->new(profile => $app, %$first);
    eval { $spent->refresh; 1 } and die 'a spent refresh token was not refused';
    my ($refusal) = $@ =~ /"error":"(\w+)"/;
    return { first => $first, next => $next, refusal => $refusal };
}

sub code {
    my $endpoint = '/api/oauth/token';
    my $app = app(
        authorize_path     => '/authorize',
        access_token_path  => $endpoint,
        refresh_token_path => $endpoint,
    );
    my ($verifier, $state) = (random(), random());
    my $address = $app->authorize(
        state                 => $state,
        code_challenge        => encode_base64url(sha256($verifier)),
        code_challenge_method => 'S256',
    );
    my $code = visit($address, $state);
    return refreshed($app, $app->get_access_token($code, code_verifier => $verifier));
}

sub legacy {
    my $endpoint = '/api/oauth/access_token';
    my $app = app(
        access_token_path  => $endpoint,
        refresh_token_path => $endpoint,
        secrets_in_params  => $ENV{METHOD} eq 'client_secret_post',
    );
    my $state = random();
    return refreshed($app, $app->get_access_token(visit($app->authorize(state => $state), $state)));
}

sub moved {
    my $app = app(refresh_token_path => $ENV{TOKEN_ENDPOINT});
    my %kept = (access_token => 'none', refresh_token => $ENV{REFRESH_TOKEN});
    my $told = refreshed($app, Net::OAuth2::AccessToken->new(profile => $app, %kept));
    # The library keeps the other attributes of a token as they were before its refresh.
    my $claims = decode_json(decode_base64url((split /\./, $told->{next}{access_token})[1]));
    $told->{next}{$_} = $claims->{$_} for qw(organization_id scope);
    return $told;
}

my %flows = (code => \&code, legacy => \&legacy, moved => \&moved);
print 'tell ', encode_json($flows{ $ARGV[0] }->()), "\n";
