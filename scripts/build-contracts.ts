/** `npm run build:contracts`: compiles the contracts when they changed and writes abis/. */
await import('./contracts/build.ts')
