/**
 * The walls of docs/architecture.md: what may import what. A rule reads: what matches `from` must not reach what
 * matches `to`.
 */

const inPackage = '(^|/)node_modules/'

module.exports = {
  forbidden: [
    {
      name: 'no-circles',
      comment: 'Two files that need each other are one file, or three.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'indexer-is-closed',
      comment: 'All that decides what a row holds is in the build id of Ponder: config, schema and src.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '.', pathNot: ['^src/', '^abis/', '^ponder[.]schema[.]ts$', '^ponder:', inPackage] },
    },
    {
      name: 'indexer-reads-no-files',
      comment: 'A handler that reads the machine it runs on is no function of the chain.',
      severity: 'error',
      from: { path: '^src/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'schema-knows-only-tables',
      severity: 'error',
      from: { path: '^src/schema/' },
      to: { path: '^(src|abis)/', pathNot: '^src/schema/' },
    },
    {
      name: 'indexer-rules-are-pure',
      severity: 'error',
      from: { path: '^src/rules/' },
      to: { path: ['^src/(handlers|store|schema|api)/', '^ponder:', `${inPackage}(ponder|drizzle-orm|hono)/`] },
    },
    {
      name: 'indexer-store-below-handlers',
      severity: 'error',
      from: { path: '^src/store/' },
      to: { path: '^src/(handlers|api)/' },
    },
    {
      name: 'domain-is-pure',
      comment:
        'Read-time rules see values; who fetched them is none of their business. They may use rules of the indexer.',
      severity: 'error',
      from: { path: '^api/domain/' },
      to: {
        path: ['^(api|src|scripts|ponder)', `${inPackage}(hono|@hono|drizzle-orm|postgres|ponder|@x402|pino)/`],
        pathNot: ['^api/domain/', '^src/rules/'],
      },
    },
    {
      name: 'domain-reads-no-machine',
      severity: 'error',
      from: { path: '^api/domain/' },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?(crypto|assert)$' },
    },
    {
      name: 'domain-makes-no-calls',
      comment: 'Of viem, the pure parts only: no client, no transport, no action.',
      severity: 'error',
      from: { path: '^api/domain/' },
      to: { path: `${inPackage}viem/(_esm/|_cjs/|_types/)?(actions|clients)/` },
    },
    {
      name: 'db-knows-tables-only',
      severity: 'error',
      from: { path: '^api/db/' },
      to: { path: '^api/(features|writes/stages|writes/relay|http|loops|trpc|chain|payments|storage|main)' },
    },
    {
      name: 'chain-below-the-service',
      severity: 'error',
      from: { path: '^api/chain/' },
      to: { path: '^api/(features|writes|http|loops|trpc|db|payments|storage|main)' },
    },
    {
      name: 'payments-below-the-service',
      severity: 'error',
      from: { path: '^api/payments/' },
      to: { path: '^api/(features|loops|trpc|db|storage|main)' },
    },
    {
      name: 'storage-below-the-service',
      severity: 'error',
      from: { path: '^api/(storage|files)/' },
      to: { path: '^api/(features|writes|loops|trpc|db|chain|payments|http|main)' },
    },
    {
      name: 'writes-know-no-feature',
      severity: 'error',
      from: { path: '^api/writes/' },
      to: { path: '^api/(features|trpc|main|app|routes)' },
    },
    {
      name: 'features-apart',
      comment: 'What two features need belongs into domain, db, writes or http.',
      severity: 'error',
      from: { path: '^api/features/([^/]+)/' },
      to: { path: '^api/features/', pathNot: ['^api/features/$1/', '^api/features/[^/]+[.]ts$'] },
    },
    {
      name: 'features-below-the-root',
      severity: 'error',
      from: { path: '^api/features/' },
      to: { path: '^api/(main|app|routes|loops|trpc)' },
    },
    {
      name: 'procedures-wrap-only',
      comment: 'A procedure is a route or a write in another wrapping: it gets them handed in.',
      severity: 'error',
      from: { path: '^api/trpc/' },
      to: {
        path: '^api/(features|domain|db|chain|payments|storage|loops|main|app|routes)',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'http-below-procedures',
      severity: 'error',
      from: { path: '^api/http/' },
      to: { path: '^api/(trpc|loops|features|main|app|routes)' },
    },
    {
      name: 'graphql-stands-alone',
      comment: 'A process of its own, on a login that only reads: of the service it takes what serves any HTTP.',
      severity: 'error',
      from: { path: '^api/graphql/' },
      to: {
        path: '^(api|src|scripts|ponder)',
        pathNot: [
          '^api/graphql/',
          '^api/(concurrency/|config[.]ts$)',
          '^api/http/header-names[.]ts$',
          '^api/server/transport[.]ts$',
          '^api/text/',
          '^api/identity/client-ip[.]ts$',
          '^api/observability/scrub[.]ts$',
          '^ponder[.]schema[.]ts$',
          '^src/schema/',
        ],
      },
    },
    {
      name: 'analytics-below-the-service',
      comment: 'What runs the SQL of strangers has no way to the tables of the service.',
      severity: 'error',
      from: { path: '^api/analytics/' },
      to: { path: '^api/', pathNot: '^api/(analytics|concurrency)/' },
    },
    {
      name: 'nothing-imports-main',
      comment: 'The composition root connects to the world when it is imported; only `npm run api` does.',
      severity: 'error',
      from: { pathNot: '^scripts/(api|graphql)[.]ts$' },
      to: { path: '^api/(graphql/)?main[.]ts$' },
    },
    {
      name: 'nothing-imports-tests',
      severity: 'error',
      from: { pathNot: '^test/' },
      to: { path: '^test/' },
    },
    {
      name: 'fault-checker-is-independent',
      comment: 'It judges the service: what both believed would be wrong twice and never found.',
      severity: 'error',
      from: { path: '^test/faults/checker/' },
      to: { path: '^(api|src|ponder)' },
    },
    {
      name: 'product-needs-no-scripts',
      severity: 'error',
      from: { path: '^(api|src|abis)/' },
      to: { path: '^(ops|scripts)/' },
    },
    {
      name: 'product-needs-no-development-packages',
      severity: 'error',
      from: { path: '^(api|src|abis)/|^ponder[.]' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'only-declared-packages',
      severity: 'error',
      from: { path: '^(api|src|abis|ops|scripts|test)/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'everything-resolves',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^ponder:' },
    },
  ],
  options: {
    doNotFollow: { path: inPackage },
    tsPreCompilationDeps: 'specify',
    tsConfig: { fileName: 'tsconfig.json' },
    combinedDependencies: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.mjs', '.js', '.json'],
    },
  },
}
