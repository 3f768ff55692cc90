import { ConnectButton, getDefaultConfig, RainbowKitProvider } from '@rainbow-me/rainbowkit'
import '@rainbow-me/rainbowkit/styles.css'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { WagmiProvider } from 'wagmi'
import { loadLocalEnvironment } from './localEnvironment.ts'
import { Signer } from './SignButton.tsx'

const { chains } = await loadLocalEnvironment()
const config = getDefaultConfig({ appName: 'A shop', projectId: 'a-shop', chains })

createRoot(document.getElementById('root') as HTMLElement).render(
  <WagmiProvider config={config}>
    <QueryClientProvider client={new QueryClient()}>
      <RainbowKitProvider>
        <ConnectButton />
        <Signer />
      </RainbowKitProvider>
    </QueryClientProvider>
  </WagmiProvider>,
)
