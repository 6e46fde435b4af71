/**
 * The walls of docs/internals/architecture.md: what may import what. A rule reads: what matches `from` must not reach what
 * matches `to`.
 */

const inPackage = '(^|/)node_modules/'

/**
 * What a folder of `api/` may import of the project besides itself: folders of `api/`, `api/deps.ts` as `deps`, and
 * from the root what has a slash. Types are imports too, but for an entry that ends in `(types)`. `protocol/` is open to
 * all of them, as a package is: it is pure and imports none of them.
 */
const low = ['config', 'failpoint', 'concurrency', 'text', 'domain', 'db', 'nodes(types)', 'chain', 'abis/']
const rows = [...low, 'payments', 'artifacts', 'intents', 'read-model', 'observability']
const requests = [...rows, 'errors', 'http', 'identity']
const mayImport = {
  concurrency: [],
  text: [],
  domain: ['text'],
  db: ['concurrency'],
  nodes: ['domain'],
  config: ['nodes'],
  chain: ['config', 'concurrency', 'text', 'domain(types)', 'nodes', 'abis/'],
  payments: ['chain', 'domain', 'abis/'],
  artifacts: ['config', 'failpoint', 'concurrency', 'domain', 'db'],
  intents: ['config', 'domain', 'db', 'chain', 'payments', 'artifacts', 'abis/'],
  'read-model': ['concurrency', 'domain', 'db'],
  observability: [
    'config',
    'concurrency',
    'text',
    'domain',
    'db',
    'nodes(types)',
    'chain',
    'artifacts',
    'intents',
    'read-model',
  ],
  errors: ['concurrency', 'text', 'domain', 'db', 'chain', 'artifacts', 'read-model', 'observability'],
  http: ['config', 'concurrency', 'text', 'domain', 'artifacts', 'observability', 'errors'],
  identity: ['config', 'concurrency', 'domain', 'db', 'chain', 'errors', 'http'],
  writes: requests,
  relayer: rows,
  books: ['concurrency', 'domain', 'db', 'chain', 'abis/', 'read-model'],
  daily: ['db', 'chain', 'read-model'],
  keeper: ['config', 'domain', 'db', 'chain', 'abis/', 'intents', 'errors', 'writes'],
  events: ['concurrency', 'domain', 'db', 'read-model', 'http', 'identity'],
  features: [...requests, 'tabular', 'analytics', 'events', 'exports', 'writes', 'deps'],
  trpc: [...requests, 'writes', 'features(types)', 'deps'],
  mcp: ['concurrency', 'text', 'errors', 'http', 'features(types)', 'deps', 'version'],
  server: [...requests, 'analytics', 'writes', 'features', 'trpc', 'mcp', 'deps', 'version'],
  tabular: ['text'],
  exports: [],
  analytics: ['concurrency', 'tabular'],
}

const pathOf = (name) => {
  const path = name.replace('(types)', '')
  if (path.includes('/') || path.endsWith('.ts')) return `^${path.replaceAll('.', '[.]')}`
  return `^api/${path}(/|[.]ts$)`
}
const walls = Object.entries(mayImport).flatMap(([folder, allowed]) => {
  const wall = (name, names, condition) => ({
    name,
    severity: 'error',
    from: { path: `^api/${folder}/` },
    to: {
      path: '^(api|src|abis|ops|scripts|test|ponder)',
      pathNot: [`^api/${folder}/`, ...names.map(pathOf)],
      ...condition,
    },
  })
  const ofValues = allowed.filter((name) => !name.endsWith('(types)'))
  if (ofValues.length === allowed.length) return [wall(`${folder}-imports`, allowed, {})]
  return [
    wall(`${folder}-imports`, allowed, {}),
    wall(`${folder}-imports-values`, ofValues, { dependencyTypesNot: ['type-only'] }),
  ]
})

module.exports = {
  forbidden: [
    {
      name: 'no-circles',
      comment:
        'Two files that need each other are one file, or three; types included. Bundles are cut by what is loaded together: ' +
        'a file that is loaded later uses the one that loads it.',
      severity: 'error',
      from: { pathNot: '^web/generated/' },
      to: { circular: true },
    },
    {
      name: 'indexer-is-closed',
      comment:
        'The schema name covers every file that decides what a row holds (ops/indexer/schema-name.ts): a change of one ' +
        'indexes the chain again.',
      severity: 'error',
      from: { path: '^src/|^ponder[.](config|schema)[.]ts$' },
      to: {
        path: '.',
        pathNot: ['^src/', '^abis/', '^protocol/rules/', '^ponder[.]schema[.]ts$', '^ponder:', inPackage, '^fs$'],
      },
    },
    {
      name: 'indexer-imports-by-path',
      comment:
        'The schema name follows relative imports: a file reached by the name of a workspace would be missing in it.',
      severity: 'error',
      from: { path: '^(src|abis|protocol/rules)/|^ponder[.](config|schema)[.]ts$' },
      to: { dependencyTypes: ['aliased'] },
    },
    {
      name: 'indexer-reads-no-files',
      comment: 'What a handler writes depends on the chain alone, never on the machine that it runs on.',
      severity: 'error',
      from: { path: '^src/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'schema-knows-only-tables',
      severity: 'error',
      from: { path: '^src/schema/' },
      to: { path: '^(src|abis|protocol)/', pathNot: '^src/schema/' },
    },
    {
      name: 'indexer-store-below-handlers',
      severity: 'error',
      from: { path: '^src/store/' },
      to: { path: '^src/(handlers|api)/' },
    },
    {
      name: 'domain-is-pure',
      comment: 'Rules of reading get values and do not depend on where they come from. They may use the protocol.',
      severity: 'error',
      from: { path: '^api/domain/' },
      to: {
        path: ['^(api|src|scripts|ponder)', `${inPackage}(hono|@hono|drizzle-orm|postgres|ponder|@x402|pino)/`],
        pathNot: '^api/domain/',
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
    ...walls,
    {
      name: 'protocol-is-pure',
      comment:
        'Both sides of the wire compute with it: values in, values out, on Node 20 and in browsers. Of packages it has the ' +
        'encoders of viem: no account, no client, no chain.',
      severity: 'error',
      from: { path: '^protocol/' },
      to: { path: '.', pathNot: ['^protocol/', `${inPackage}viem/(_esm|_types)/(index[.]|utils/)`] },
    },
    {
      name: 'protocol-rules-stand-alone',
      comment: 'The indexer needs them: a change of what they import would index the chain again.',
      severity: 'error',
      from: { path: '^protocol/rules/' },
      to: { path: '.', pathNot: ['^protocol/rules/', `${inPackage}viem/`] },
    },
    {
      name: 'mcp-tools-stand-alone',
      comment: 'Both MCP servers have them, that of the service and that of the client package.',
      severity: 'error',
      from: { path: '^mcp/' },
      to: { path: '.', pathNot: ['^mcp/', '^protocol/text/', `${inPackage}@modelcontextprotocol/server/`] },
    },
    {
      name: 'mcp-tools-are-for-servers',
      comment: 'The SDK of the protocol and the judge of arguments are loaded by MCP servers alone.',
      severity: 'error',
      from: { path: '^(api|src|client/src|ops|scripts)/', pathNot: '^(api/mcp|client/src/(mcp|cli))/' },
      to: { path: '^mcp/' },
    },
    {
      name: 'client-stands-alone',
      comment: 'A package of its own, for machines without this repository: what it needs of the service is generated.',
      severity: 'error',
      from: { path: '^client/src/' },
      to: {
        path: '.',
        pathNot: [
          '^client/src/',
          '^client/package[.]json$',
          '^mcp/',
          '^protocol/',
          inPackage,
          '^node:',
          '^(assert|buffer|child_process|crypto|events|fs|fs/promises|os|path|readline|readline/promises|stream|timers/promises|tty|url|util)$',
        ],
      },
    },
    {
      name: 'client-entry-runs-in-browsers',
      comment: 'What needs a disk or a terminal has an entry of its own.',
      severity: 'error',
      from: { path: '^client/src/', pathNot: '^client/src/(cli|mcp|keystore)/|^client/src/store/file-' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'islands-run-in-browsers',
      comment: 'Code of pages: what it needs of the protocol the client exports.',
      severity: 'error',
      from: { path: '^web/islands/' },
      to: {
        path: '.',
        pathNot: [
          '^web/islands/',
          '^client/src/index[.]ts$',
          '^web/(act/(action-words|payout-rows)|words/[^/]+)[.]ts$',
          inPackage,
        ],
      },
    },
    {
      name: 'service-needs-no-client',
      comment:
        'What generates parts of the package knows its list of writes. The deploy command and relayers open keystores with its ' +
        'reader.',
      severity: 'error',
      from: {
        path: '^(api|src|abis|protocol|ops|scripts)/',
        pathNot: '^(scripts/(client/|contracts/signers/keystore-signer[.]ts$)|api/relayer/signers/keystore-file[.]ts$)',
      },
      to: { path: '^client/' },
    },
    {
      name: 'web-stands-on-the-client',
      comment:
        'Pages show what the public routes answer: of the project they take the client package, by its entry, and for the ' +
        'documentation the table of errors. `main.ts` serves them alone.',
      severity: 'error',
      from: { path: '^web/', pathNot: '^web/(islands|generated)/' },
      to: {
        path: '.',
        pathNot: [
          '^web/',
          '^settings/',
          '^client/src/index[.]ts$',
          '^protocol/details[.]ts$',
          `${inPackage}(hono|@hono/node-server|mdast-util-from-markdown|marked)/`,
          '^(node:)?(crypto|fs|fs/promises|path|timers/promises|util|zlib)$',
        ],
      },
    },
    {
      name: 'web-is-served-by-its-main',
      severity: 'error',
      from: { path: '^web/', pathNot: '^web/main[.]ts$' },
      to: { path: `${inPackage}@hono/node-server/` },
    },
    {
      name: 'only-main-makes-pages',
      comment: 'The service gets its pages as an argument, and answers without them.',
      severity: 'error',
      from: {
        path: '^(api|src|abis|protocol|client|mcp|ops|scripts)/',
        pathNot: '^(api/main|scripts/((build-)?web|draw-diagrams))[.]ts$',
      },
      to: { path: '^web/' },
    },
    {
      name: 'graphql-beside-the-service',
      comment:
        'A process of its own on the reader login: of the service it takes settings, pure helpers, the texts of views and the ' +
        'rules of transport that both keep.',
      severity: 'error',
      from: { path: '^graphql/' },
      to: {
        path: '^(api|src|abis|client|mcp|ops|scripts|test|web|ponder)',
        pathNot: [
          '^api/(config|db/data-version|read-model/missing-rows|identity/client-ip|server/(transport|mount-metrics)|http/tagged-answer|observability/redact)[.]ts$',
          '^api/db/market-texts[.]json$',
          '^api/(concurrency|text)/',
          '^src/views/reader-tables[.]ts$',
        ],
      },
    },
    {
      name: 'graphql-serves-alone',
      comment: 'Nothing but its own process and its tests needs it.',
      severity: 'error',
      from: { pathNot: '^(graphql|test)/|^scripts/graphql[.]ts$' },
      to: { path: '^graphql/' },
    },
    {
      name: 'json-parts-stands-alone',
      comment: 'A parser, used like a package (its README): of the project it takes the decoder of base64 alone.',
      severity: 'error',
      from: { path: '^api/http/json-parts/' },
      to: {
        path: '^(api|src|abis|protocol|ops|scripts|test)/',
        pathNot: ['^api/http/json-parts/', '^api/domain/artifacts/base64-stream[.]ts$'],
      },
    },
    {
      name: 'features-apart',
      comment: 'What two features need belongs into a folder below them, or beside them.',
      severity: 'error',
      from: { path: '^api/features/([^/]+)/' },
      to: { path: '^api/features/', pathNot: ['^api/features/$1/', '^api/features/[^/]+[.]ts$'] },
    },
    {
      name: 'task-rooms-apart',
      comment: 'The rooms below tasks share its rows and mappers, and the way to a page of the list.',
      severity: 'error',
      from: { path: '^api/features/tasks/([^/]+)/' },
      to: { path: '^api/features/tasks/[^/]+/', pathNot: ['^api/features/tasks/$1/', '^api/features/tasks/list/'] },
    },
    {
      name: 'relayer-downwards',
      comment: 'Inside the relayer: loops -> confirmations -> transactions.',
      severity: 'error',
      from: { path: '^api/relayer/(transactions|confirmations)/' },
      to: { path: '^api/relayer/(loops|confirmations)/', pathNot: '^api/relayer/$1/' },
    },
    {
      name: 'storage-and-hashing-below-artifacts',
      severity: 'error',
      from: { path: '^api/artifacts/(storage|hashing)/' },
      to: { path: '^api/artifacts/[^/]+[.]ts$' },
    },
    {
      name: 'production-needs-no-scripts',
      comment:
        'Of the service, what supervises indexer and standby takes bounded queries, types of arrays, texts of views, the set of nodes, the processors of strangers and the escape of log lines; of the rules, how a deployment file is read.',
      severity: 'error',
      from: { path: '^ops/(indexer|standby)/' },
      to: {
        path: '^(api|src|protocol|scripts|test)/',
        pathNot: [
          '^api/db/(query-timeout[.]ts|array-types[.]ts|market-texts[.]json)$',
          '^api/concurrency/processors-of-strangers[.]ts$',
          '^api/(nodes|text)/',
          '^protocol/rules/deployment-file[.]ts$',
        ],
      },
    },
    {
      name: 'nothing-needs-doctor',
      comment: 'It looks at what the programs use, by their own functions; they do without it.',
      severity: 'error',
      from: { pathNot: '^(ops|scripts)/doctor(/|[.]ts$)|^test/' },
      to: { path: '^ops/doctor/' },
    },
    {
      name: 'doctor-starts-nothing',
      comment:
        'Of the scripts it takes the comparison of `npm run deploy -- --check`, of the indexer what a standby looks at.',
      severity: 'error',
      from: { path: '^ops/doctor/' },
      to: {
        path: '^(src|scripts|test|graphql|web|client|ops|ponder)',
        pathNot: [
          '^ops/(doctor|process)/',
          '^ops/indexer/(generation|schema-name|settings|standby)[.]ts$',
          '^scripts/contracts/',
        ],
      },
    },
    {
      name: 'exports-need-no-service',
      comment: 'Of the service, an export takes the manifest, the forms of rows, the S3 client and the URLs of nodes.',
      severity: 'error',
      from: { path: '^ops/export/' },
      to: {
        path: '^(api|src|protocol|scripts|test|ops)/',
        pathNot: [
          '^ops/export/',
          '^api/exports/manifest[.]ts$',
          '^api/(tabular|artifacts/storage|nodes)/',
          '^api/chain/is-local-node[.]ts$',
        ],
      },
    },
    {
      name: 'metrics-stand-low',
      comment: 'Every program makes its metrics of one table, which needs nothing of any of them.',
      severity: 'error',
      from: { path: '^metrics/' },
      to: { path: '^(api|graphql|src|abis|client|mcp|ops|scripts|test|web|protocol|settings|ponder)' },
    },
    {
      name: 'relayer-command-beside-the-service',
      comment:
        'Of the service it takes signers, nonce sequences, the connection and the deployment; of the scripts what deploys; and the reader of options.',
      severity: 'error',
      from: { path: '^ops/relayer/' },
      to: {
        path: '^(api|src|protocol|scripts|test|ops)/',
        pathNot: [
          '^ops/relayer/',
          '^ops/process/read-options[.]ts$',
          '^api/chain/deployment[.]ts$',
          '^api/db/client[.]ts$',
          '^api/relayer/(signers|transactions)/',
          '^scripts/contracts/(chain|wait-for-pending)[.]ts$',
        ],
      },
    },
    {
      name: 'settings-stand-low',
      comment: 'Every program reads its settings first: they need texts, and nothing that has settings.',
      severity: 'error',
      from: { path: '^settings/' },
      to: {
        path: '^(api|graphql|src|abis|client|mcp|ops|scripts|test|web|protocol|ponder)',
        pathNot: ['^api/text/', '^protocol/text/'],
      },
    },
    {
      name: 'processes-stand-alone',
      severity: 'error',
      from: { path: '^ops/process/' },
      to: { path: '^(api|src|protocol|scripts|test|ops)/', pathNot: ['^ops/process/', '^api/text/'] },
    },
    {
      name: 'nothing-imports-main',
      comment: 'The composition root opens connections when it is imported; only `npm run api` does.',
      severity: 'error',
      from: { pathNot: '^scripts/(api|graphql|web)[.]ts$' },
      to: { path: '^(api|graphql|web)/main[.]ts$' },
    },
    {
      name: 'nothing-imports-tests',
      severity: 'error',
      from: { pathNot: '^(test/|vitest[.]config[.]ts$)' },
      to: { path: '^test/' },
    },
    {
      name: 'fault-checker-is-independent',
      comment: 'It checks the service: an assumption that both share would never be found wrong.',
      severity: 'error',
      from: { path: '^test/faults/checker/' },
      to: { path: '^(api|src|protocol|ponder)' },
    },
    {
      name: 'product-needs-no-scripts',
      severity: 'error',
      from: { path: '^(api|graphql|src|abis)/' },
      to: { path: '^(ops|scripts)/' },
    },
    {
      name: 'product-needs-no-development-packages',
      severity: 'error',
      from: { path: '^(api|graphql|src|abis|protocol|web)/|^ponder[.]', pathNot: '^web/islands/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'only-declared-packages',
      severity: 'error',
      from: { path: '^(api|graphql|src|abis|protocol|ops|scripts|test|web)/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'everything-resolves',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: ['^ponder:', '^/assets/'] },
    },
  ],
  options: {
    doNotFollow: { path: inPackage },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    combinedDependencies: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.mjs', '.js', '.json'],
    },
  },
}
