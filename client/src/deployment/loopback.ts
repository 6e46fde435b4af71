/**
 * Reports whether a URL's host name means this machine, in any notation. For example, returns true for `127.0.0.2`,
 * `localhost.`, `api.localhost` and `[::ffff:7f00:1]`.
 */
export function isLoopback(hostname: string): boolean {
  return /^((.+\.)?localhost\.?|127(\.\d+){3}|0\.0\.0\.0|\[::1?\]|\[::ffff:(7f..:\w+|0:0)\])$/.test(hostname)
}

/**
 * Reports whether a URL points to the machine that runs this code. For example, `isLocalUrl('http://localhost:3000')`
 * is `true`.
 */
export function isLocalUrl(url: string | undefined): boolean {
  return url !== undefined && URL.canParse(url) && isLoopback(new URL(url).hostname)
}
