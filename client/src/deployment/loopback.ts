/**
 * Says whether the host name of a URL is this machine: each spelling that reaches it.
 * Example: `127.0.0.2`, `localhost.`, `api.localhost` and `[::ffff:7f00:1]` are.
 */
export function isLoopback(hostname: string): boolean {
  return /^((.+\.)?localhost\.?|127(\.\d+){3}|0\.0\.0\.0|\[::1?\]|\[::ffff:(7f..:\w+|0:0)\])$/.test(hostname)
}

/** Says whether a URL is of this machine. */
export function isLocalUrl(url: string | undefined): boolean {
  return url !== undefined && URL.canParse(url) && isLoopback(new URL(url).hostname)
}
