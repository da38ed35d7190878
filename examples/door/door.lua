-- /etc/haproxy/door.lua: asks the door with the question in txn.door_question. Afterwards txn.door_status is the status of
-- its answer. Only 200 lets the request pass; then the request has the headers about its token.

local address = "http://127.0.0.1:3080/check?"
local names = { "Kind", "Organization", "Client", "User", "Permissions", "Workspaces", "Assertion" }

-- All values of a header: the door refuses a request that has two credentials.
local function values_of(headers, name)
  local values = {}
  for at = 0, #(headers[name] or {}) do
    if headers[name] then values[at + 1] = headers[name][at] end
  end
  return values
end

core.register_action("door", { "http-req" }, function(txn)
  txn:set_var("txn.door_status", 503)
  local sent = txn.http:req_get_headers()
  local asked = {
    ["x-forwarded-method"] = { txn.f:method() },
    ["x-forwarded-proto"] = { txn.f:ssl_fc() == 1 and "https" or "http" },
    ["x-forwarded-host"] = values_of(sent, "host"),
    ["x-forwarded-uri"] = { txn.f:pathq() },
  }
  for _, name in ipairs({ "authorization", "dpop" }) do
    local values = values_of(sent, name)
    if #values > 0 then asked[name] = values end
  end
  local answer = core.httpclient():get({
    url = address .. txn:get_var("txn.door_question"),
    headers = asked,
    timeout = 5000,
  })
  if not answer or not answer.status then return end
  local function first(name)
    local values = answer.headers and answer.headers[name]
    return values and values[0]
  end
  if answer.status == 200 then
    for _, name in ipairs(names) do
      txn.http:req_set_header("X-Latchkey-" .. name, first("x-latchkey-" .. name:lower()) or "")
    end
  end
  if first("www-authenticate") then txn:set_var("txn.door_challenge", first("www-authenticate")) end
  if first("dpop-nonce") then txn:set_var("txn.door_nonce", first("dpop-nonce")) end
  txn:set_var("txn.door_status", answer.status)
end, 0)
