/** What robots may read: pages, not the API, and nothing that is made for one wallet. Filters are one list many times. */
export function robotsText(publicUrl: string): string {
  return `User-agent: *
Allow: /
Disallow: /api/
Disallow: /trpc/
Disallow: /mcp
Disallow: /me
Disallow: /tasks?*
Disallow: /leaderboard?*
Disallow: /tasks/*/files/

Sitemap: ${publicUrl}/sitemap.xml
`
}
