import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { ConnectKitButton, ConnectKitProvider, getDefaultConfig } from 'connectkit'
import { createRoot } from 'react-dom/client'
import { createConfig, WagmiProvider } from 'wagmi'
import { loadLocalEnvironment } from './localEnvironment.ts'
import { Signer } from './SignButton.tsx'

const { chains } = await loadLocalEnvironment()
// ConnectKit's types import @wagmi/core without declaring a dependency, so they resolve to a version that a different page uses.
const config = createConfig(
  getDefaultConfig({
    appName: 'A shop',
    walletConnectProjectId: 'a-shop',
    chains,
    // ConnectKit's own wallet needs a server that is not available in tests.
    enableAaveAccount: false,
  }) as Parameters<typeof createConfig>[0],
)

createRoot(document.getElementById('root') as HTMLElement).render(
  <WagmiProvider config={config}>
    <QueryClientProvider client={new QueryClient()}>
      <ConnectKitProvider>
        <ConnectKitButton />
        <Signer />
      </ConnectKitProvider>
    </QueryClientProvider>
  </WagmiProvider>,
)
