# A store as Doorkeeper itself fills it: 50 apps and 2,000 grants, some refreshed by Doorkeeper. Usage:
#   ruby doorkeeper.rb <url of an empty Postgres> <grants>
# Prints a line of JSON for each app that refreshes: {"client_id","secret","token"}.
require 'logger'
require 'active_record'
require 'action_controller/railtie'
require 'bcrypt'
require 'doorkeeper'
require 'doorkeeper/orm/active_record'
require 'json'

class Application < Rails::Application
  config.eager_load = false
  config.secret_key_base = 'test'
  config.logger = Logger.new(nil)
end
ActiveRecord::Base.establish_connection(ARGV[0])
ActiveRecord::Base.logger = nil

ActiveRecord::Schema.verbose = false
ActiveRecord::Schema.define do
  create_table(:users) { |t| t.string :email; t.string :encrypted_password, null: false, default: '' }
  create_table :oauth_applications do |t|
    t.string :name, null: false
    t.string :uid, null: false, index: { unique: true }
    t.string :secret, null: false
    t.text :redirect_uri
    t.string :scopes, null: false, default: ''
    t.boolean :confidential, null: false, default: true
    t.timestamps null: false
  end
  create_table :oauth_access_grants do |t|
    t.references :resource_owner, null: false
    t.references :application, null: false
    t.string :token, null: false, index: { unique: true }
    t.integer :expires_in, null: false
    t.text :redirect_uri, null: false
    t.datetime :created_at, null: false
    t.datetime :revoked_at
    t.string :scopes, null: false, default: ''
  end
  create_table :oauth_access_tokens do |t|
    t.references :resource_owner, index: true
    t.references :application
    t.string :token, null: false, index: { unique: true }
    t.string :refresh_token, index: { unique: true }
    t.integer :expires_in
    t.datetime :revoked_at
    t.datetime :created_at, null: false
    t.string :scopes
    t.string :previous_refresh_token, null: false, default: ''
  end
end

class User < ActiveRecord::Base; end

# Each strategy of secrets and tokens, one after the other, as an operator changes them over the years.
def configure(secrets, tokens)
  Doorkeeper.configure do
    orm :active_record
    use_refresh_token
    default_scopes :write
    optional_scopes :odd
    hash_application_secrets(**secrets) if secrets
    hash_token_secrets(**tokens) if tokens
    grant_flows %w[authorization_code client_credentials]
    force_ssl_in_redirect_uri false
  end
end

strategies = [
  [nil, nil],
  [{ using: '::Doorkeeper::SecretStoring::BCrypt' }, nil],
  [{}, {}]
]
people = (1..40).map { |n| User.create!(email: "person#{n}@example.com", encrypted_password: BCrypt::Password.create("password #{n}", cost: 4).to_s) }
total = Integer(ARGV[1])
apps = 0
strategies.each_with_index do |(secrets, tokens), part|
  configure(secrets, tokens)
  count = [17, 17, 16][part]
  own = (1..count).map do |n|
    app = Doorkeeper::Application.create!(
      name: "App #{part} #{n}", redirect_uri: "https://app#{part}-#{n}.example/cb", confidential: n % 4 != 0,
      scopes: n == 1 ? 'write odd' : 'write'
    )
    { row: app, secret: app.plaintext_secret, confidential: app.confidential }
  end
  apps += count
  (total * count / 50).times do |at|
    app = own[at % count]
    token = Doorkeeper::AccessToken.create!(
      application: app[:row], resource_owner_id: people[at % people.size].id, scopes: 'write', expires_in: 7200,
      use_refresh_token: true
    )
    refresh = token.plaintext_refresh_token
    # Doorkeeper itself refreshes some; of these, some use the new access token, which revokes the old refresh token.
    if at % 5 == 0 && at < count * 4
      credentials = Doorkeeper::OAuth::Client::Credentials.new(app[:row].uid, app[:confidential] ? app[:secret] : nil)
      old = Doorkeeper::AccessToken.by_refresh_token(refresh)
      fresh = Doorkeeper::OAuth::RefreshTokenRequest.new(Doorkeeper.config, old, credentials, refresh_token: refresh).authorize.token
      if at % 10 == 0
        fresh.revoke_previous_refresh_token!
        refresh = fresh.plaintext_refresh_token
      end
    end
    puts JSON.generate(client_id: app[:row].uid, secret: app[:confidential] ? app[:secret] : '', token: refresh) if at < count * 4
  end
end
