/** `npm run web`: the pages for people, alone, over the API at `API_URL`. */
await import('../web/main.ts')
