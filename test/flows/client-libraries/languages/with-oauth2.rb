# The gem oauth2.
require 'digest'
require 'json'
require 'oauth2'
require 'securerandom'

# Sends the person there, and returns the code with which they come back to the app.
def visit(address, state)
  puts "visit #{address}"
  $stdout.flush
  back = URI.decode_www_form(URI($stdin.gets.chomp).query).to_h
  raise 'the state of another request' unless back['state'] == state

  back['code']
end

def client(**more)
  OAuth2::Client.new(ENV['CLIENT_ID'], ENV['CLIENT_SECRET'], site: ENV['ISSUER'], **more)
end

def current
  client(authorize_url: '/authorize', token_url: '/api/oauth/token')
end

def told(token)
  { expires_in: token.expires_in, **token.to_hash }
end

# A refresh, and what is said to the same refresh token once more.
def refreshed(first)
  following = first.refresh!
  first.refresh!
rescue OAuth2::Error => e
  { first: told(first), next: told(following), refusal: e.code }
end

def code
  verifier = SecureRandom.urlsafe_base64(48)
  state = SecureRandom.hex
  redirect_uri = ENV['REDIRECT_URI']
  address = current.auth_code.authorize_url(
    redirect_uri: redirect_uri,
    state: state,
    code_challenge: [Digest::SHA256.digest(verifier)].pack('m0').tr('+/', '-_').delete('='),
    code_challenge_method: 'S256'
  )
  back = visit(address, state)
  refreshed(current.auth_code.get_token(back, redirect_uri: redirect_uri, code_verifier: verifier))
end

def itself
  told(current.client_credentials.get_token(organization_id: ENV['ORGANIZATION_ID']))
end

# With no redirect URI at all: the first that is registered.
def legacy
  scheme = ENV['METHOD'] == 'client_secret_basic' ? :basic_auth : :request_body
  app = client(token_url: '/api/oauth/access_token', auth_scheme: scheme)
  state = SecureRandom.hex
  refreshed(app.auth_code.get_token(visit(app.auth_code.authorize_url(state: state), state)))
end

def moved
  app = client(token_url: ENV['TOKEN_ENDPOINT'])
  refreshed(OAuth2::AccessToken.new(app, 'none', refresh_token: ENV['REFRESH_TOKEN']))
end

puts "tell #{send(ARGV[0]).to_json}"
