import { PROXY_IS_UP, type RunningNginx, startNginx } from './start-nginx.ts'

/** Where nginx says what it did: `MISS`, `HIT`, `EXPIRED`, `REVALIDATED`. */
export const CACHE_STATUS = 'X-Cache-Status'

/** Below this path the cache ignores `Cache-Control` too. */
export const HEEDLESS = '/heedless'

/**
 * Starts nginx in front of a service, with the settings that are worst for it: `Vary` is ignored, an answer that does not
 * say otherwise is kept, errors and the answers of POST included, and the key is method, URL and `Accept-Encoding`. The
 * buffers are those of the package.
 * @param serviceUrl without a path
 */
export async function startCache(serviceUrl: string): Promise<RunningNginx> {
  return await startNginx(({ directory, port }) => configurationOf({ directory, port, serviceUrl }))
}

function configurationOf({ directory, port, serviceUrl }: { directory: string; port: number; serviceUrl: string }) {
  return `
  proxy_cache_path ${directory}/kept levels=1 keys_zone=shared:2m inactive=1h use_temp_path=off;
  proxy_http_version 1.1;
  proxy_set_header Connection "";
  proxy_set_header Host $http_host;
  proxy_cache shared;
  proxy_cache_key "$request_method $request_uri $http_accept_encoding";
  proxy_cache_methods GET HEAD POST;
  proxy_cache_valid any 1h;
  proxy_cache_revalidate on;
  add_header ${CACHE_STATUS} $upstream_cache_status always;
  server {
    listen 127.0.0.1:${port};
    location = ${PROXY_IS_UP} { return 204; }
    location / {
      proxy_pass ${serviceUrl};
      proxy_ignore_headers Vary;
    }
    location ${HEEDLESS}/ {
      proxy_pass ${serviceUrl}/;
      proxy_ignore_headers Vary Cache-Control Expires;
    }
  }
`
}
