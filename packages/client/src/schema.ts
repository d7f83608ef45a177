/** Made from docs/clients/openapi.json by `npm run generate:client`. */

export interface paths {
    "/api/v1/products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List gift cards
         * @description Lists the active products in stock that are visible to you, with your best discount. Needs the scope `read`.
         */
        get: operations["listVoucherProducts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/products/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a gift card
         * @description Needs the scope `read`.
         */
        get: operations["getVoucherProduct"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/products/{id}/charges": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Price a voucher order
         * @description Returns the exact amount that an order with the same values would debit. Needs the scope `read`.
         */
        post: operations["getVoucherCharges"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your voucher orders
         * @description Needs the scope `read`.
         */
        get: operations["listVoucherOrders"];
        put?: never;
        /**
         * Place a voucher order
         * @description Debits the wallet and places the order in one step. Returns within 10 seconds. An order that takes longer is PENDING and continues in the background. So does every order of more than 5 vouchers or of a product with `Delayed` delivery. Needs the scope `orders:vouchers`.
         */
        post: operations["createVoucherOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a voucher order
         * @description Needs the scope `read`.
         */
        get: operations["getVoucherOrder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders/{id}/refunds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the refunds of a voucher order
         * @description The automatic refund of undelivered units has the id 0. A refund changes no state. Needs the scope `read`.
         */
        get: operations["listVoucherRefunds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders/{id}/claims": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Claim goods of a voucher order
         * @description Returns the open claim if there is one: repeat the request after a lost response. After a rejection, a new claim is possible while the time to claim lasts. Needs the scope `orders:vouchers`.
         */
        post: operations["fileVoucherClaim"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders/{id}/notification-email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Attach a notification email to a voucher order
         * @description The address gets one email when the order ends. It can be changed while the order is PENDING. Needs the scope `orders:vouchers`.
         */
        patch: operations["setVoucherOrderEmail"];
        trace?: never;
    };
    "/api/v1/topups/products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List top-up products
         * @description Needs the scope `read`.
         */
        get: operations["listTopupProducts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/topups/products/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a top-up product
         * @description Needs the scope `read`.
         */
        get: operations["getTopupProduct"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/topups/products/{id}/variants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the variants of a top-up product
         * @description Needs the scope `read`.
         */
        get: operations["listTopupVariants"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/topups/variants/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a top-up variant
         * @description Needs the scope `read`.
         */
        get: operations["getTopupVariant"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/topups/charges": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Price a top-up order
         * @description Returns the exact amount that an order with the same values would debit. Needs the scope `read`.
         */
        post: operations["getTopupCharges"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/topups/mobile-lookup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find the products that recharge a mobile number
         * @description Needs the scope `read`.
         */
        get: operations["lookUpMobileNumber"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/topups/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your top-up orders
         * @description Needs the scope `read`.
         */
        get: operations["listTopupOrders"];
        put?: never;
        /**
         * Place a top-up order
         * @description Debits the wallet, or redeems a voucher, and places the order in one step. Returns within 4 seconds. An order that takes longer is PENDING and continues in the background. Needs the scope `orders:topups`.
         */
        post: operations["createTopupOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/topups/orders/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a top-up order
         * @description Polls the supplier first if the order is PENDING, at most every 5 seconds. Needs the scope `read`.
         */
        get: operations["getTopupOrder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/topups/orders/{id}/refunds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the refunds of a top-up order
         * @description The automatic refund of undelivered units has the id 0. A refund changes no state. Needs the scope `read`.
         */
        get: operations["listTopupRefunds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/topups/orders/{id}/claims": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Claim goods of a top-up order
         * @description Returns the open claim if there is one: repeat the request after a lost response. After a rejection, a new claim is possible while the time to claim lasts. Needs the scope `orders:topups`.
         */
        post: operations["fileTopupClaim"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/topups/orders/{id}/notification-email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Attach a notification email to a top-up order
         * @description The address gets one email when the order ends. It can be changed while the order is PENDING. Needs the scope `orders:topups`.
         */
        patch: operations["setTopupOrderEmail"];
        trace?: never;
    };
    "/api/v1/esim/products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List eSIM products
         * @description Needs the scope `read`.
         */
        get: operations["listEsimProducts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/esim/products/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an eSIM product
         * @description Needs the scope `read`.
         */
        get: operations["getEsimProduct"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/esim/products/{id}/variants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the variants of an eSIM product
         * @description Needs the scope `read`.
         */
        get: operations["listEsimVariants"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/esim/variants/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an eSIM variant
         * @description Needs the scope `read`.
         */
        get: operations["getEsimVariant"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/esim/charges": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Price an eSIM order
         * @description Returns the exact amount that an order with the same values would debit. Needs the scope `read`.
         */
        post: operations["getEsimCharges"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/esim/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your eSIM orders
         * @description Returns the last known state, without polling the supplier. Needs the scope `read`.
         */
        get: operations["listEsimOrders"];
        put?: never;
        /**
         * Place an eSIM order
         * @description Debits the wallet, or redeems a voucher, and places the order in one step. Returns within 60 seconds. An order that takes longer is PENDING and continues in the background. `quantity` and `category` are ignored: an order is for one eSIM. Needs the scope `orders:esims`.
         */
        post: operations["createEsimOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/esim/orders/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an eSIM order
         * @description Polls the supplier first if the eSIM is delivered and not known to be installed. Needs the scope `read`.
         */
        get: operations["getEsimOrder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/esim/orders/{id}/refunds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the refunds of an eSIM order
         * @description The automatic refund of undelivered units has the id 0. A refund changes no state. Needs the scope `read`.
         */
        get: operations["listEsimRefunds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/esim/orders/{id}/claims": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Claim goods of an eSIM order
         * @description Returns the open claim if there is one: repeat the request after a lost response. After a rejection, a new claim is possible while the time to claim lasts. Needs the scope `orders:esims`.
         */
        post: operations["fileEsimClaim"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/esim/orders/{id}/notification-email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Attach a notification email to an eSIM order
         * @description The address gets one email when the order ends. It can be changed while the order is PENDING. Needs the scope `orders:esims`.
         */
        patch: operations["setEsimOrderEmail"];
        trace?: never;
    };
    "/api/v1/esim/orders/{id}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the used data of an eSIM
         * @description Polls the supplier first if the known usage is older than a minute, unless the eSIM is EXPIRED. Suppliers that repeat their reports are polled less often. Needs the scope `read`.
         */
        get: operations["getEsimUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/esim/orders/{id}/installation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read how to install an eSIM
         * @description Available exactly as long as the order shows its activation code. Polls the supplier first, as reading the order does. Needs the scope `read`.
         */
        get: operations["getEsimInstallation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/claims": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your claims
         * @description Needs the scope `read`.
         */
        get: operations["listClaims"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/claims/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a claim
         * @description Needs the scope `read`.
         */
        get: operations["getClaim"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wallets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your wallets
         * @description Needs the scope `read`.
         */
        get: operations["listWallets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wallets/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a wallet
         * @description Needs the scope `read`.
         */
        get: operations["getWallet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Set or clear the low balance threshold
         * @description Needs the scope `wallets`.
         */
        patch: operations["setLowBalanceThreshold"];
        trace?: never;
    };
    "/api/v1/wallets/{id}/statement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a statement of a wallet
         * @description `OPENING` with the balance before, each entry with the balance after it, `CLOSING` with the balance at the end. A response without the last line is incomplete. Needs the scope `read`.
         */
        get: operations["getWalletStatement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List transactions
         * @description Needs the scope `read`.
         */
        get: operations["listTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/transactions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a transaction
         * @description Needs the scope `read`.
         */
        get: operations["getTransaction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/statements/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a statement of orders
         * @description `ORDER` for each order of any family that was placed in the period, the oldest first, then `END`. A response without the last line is incomplete. Needs the scope `read`.
         */
        get: operations["getOrdersStatement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your API keys
         * @description Needs the scope `admin`.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key
         * @description Returns the key and its secret, which is shown only now. A key cannot give another key a scope that it lacks. Needs the scope `admin`.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/api-keys/{id}/roll": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace an API key
         * @description Returns a new key with its secret, which is shown only now. It has the label and the scopes of the old key, and is valid for as long as the old one was. The old key expires after the overlap. A key can be rolled once. It cannot roll a key that has a scope that it lacks, nor itself without an overlap. Needs the scope `admin`.
         */
        post: operations["rollApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/api-keys/{id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke an API key
         * @description Ends its sessions at once. Its access tokens can still read until they expire. Needs the scope `admin`.
         */
        post: operations["revokeApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/allowed-networks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the networks from which you may order
         * @description Needs the scope `admin`.
         */
        get: operations["getAllowedNetworks"];
        /**
         * Set the networks from which you may order
         * @description Replaces the list, for all keys of the account. Order requests from other addresses are rejected; every other call stays possible. Needs the scope `admin`.
         */
        put: operations["setAllowedNetworks"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the activity of your account
         * @description Sign-ins, changes of keys, networks, members and webhook endpoints, codes shown to members, and other calls that the audit records. Kept for 400 days. Needs the scope `admin`.
         */
        get: operations["listActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the members of your account
         * @description Needs the scope `admin`.
         */
        get: operations["listMembers"];
        put?: never;
        /**
         * Invite a member
         * @description Mails an invitation, which is valid for 7 days. Repeated for an invited member, it renews the invitation. A caller cannot invite a member with a role that has a scope that the caller lacks. From the sign-in of the first member on, API keys no longer sign in to the console. Needs the scope `admin`.
         */
        post: operations["inviteMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/members/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a member
         * @description The next call of the member is rejected. An invitation that is open is withdrawn. Needs the scope `admin`.
         */
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        /**
         * Change a member
         * @description Missing fields stay as they are. A new role and a suspension apply to the next call of the member. Needs the scope `admin`.
         */
        patch: operations["changeMember"];
        trace?: never;
    };
    "/api/v1/recipients/erase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Erase a recipient from your orders
         * @description Removes the email address and the input of every order for the recipient. The orders, their goods, refunds and events stay. An erasure cannot be undone. It may be repeated. Needs the scope `admin`.
         */
        post: operations["eraseRecipient"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/countries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List countries
         * @description Cacheable for a day. Revalidate with `If-None-Match`. Needs the scope `read`.
         */
        get: operations["listCountries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/countries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a country
         * @description Cacheable for a day. Revalidate with `If-None-Match`. Needs the scope `read`.
         */
        get: operations["getCountry"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/currencies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List currencies
         * @description Cacheable for a day. Revalidate with `If-None-Match`. Needs the scope `read`.
         */
        get: operations["listCurrencies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/categories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List categories
         * @description Cacheable for a day. Revalidate with `If-None-Match`. Needs the scope `read`.
         */
        get: operations["listCategories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/categories/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a category
         * @description Cacheable for a day. Revalidate with `If-None-Match`. Needs the scope `read`.
         */
        get: operations["getCategory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/subcategories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List subcategories
         * @description Cacheable for a day. Revalidate with `If-None-Match`. Needs the scope `read`.
         */
        get: operations["listSubcategories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/subcategories/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a subcategory
         * @description Cacheable for a day. Revalidate with `If-None-Match`. Needs the scope `read`.
         */
        get: operations["getSubcategory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your endpoints
         * @description Needs the scope `webhooks`.
         */
        get: operations["listWebhookEndpoints"];
        put?: never;
        /**
         * Register an endpoint
         * @description The endpoint first receives a `webhook.test`. Needs the scope `webhooks`.
         */
        post: operations["createWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/endpoints/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an endpoint
         * @description Needs the scope `webhooks`.
         */
        get: operations["getWebhookEndpoint"];
        put?: never;
        post?: never;
        /**
         * Delete an endpoint
         * @description Needs the scope `webhooks`.
         */
        delete: operations["deleteWebhookEndpoint"];
        options?: never;
        head?: never;
        /**
         * Change an endpoint
         * @description Missing fields stay as they are. Disabling gives up pending events. Needs the scope `webhooks`.
         */
        patch: operations["changeWebhookEndpoint"];
        trace?: never;
    };
    "/api/v1/webhooks/endpoints/{id}/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the secret of an endpoint
         * @description Needs the scope `webhooks`.
         */
        get: operations["getWebhookSecret"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/endpoints/{id}/secret/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the secret of an endpoint
         * @description The old secret also signs for 24 hours. Needs the scope `webhooks`.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/endpoints/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test
         * @description Needs the scope `webhooks`.
         */
        post: operations["testWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/endpoints/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send events again
         * @description Sends every event since then that the endpoint takes, whether delivered before or not, oldest first. Needs the scope `webhooks`.
         */
        post: operations["replayWebhookEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events
         * @description Events are kept for 90 days, with or without endpoints. Needs the scope `webhooks`.
         */
        get: operations["listWebhookEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/events/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an event and its attempts
         * @description Shows the newest 100 attempts. Needs the scope `webhooks`.
         */
        get: operations["getWebhookEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/resends": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events that were sent again
         * @description Each event of a redelivery or a replay, once for each time. They are kept for a day. `dgo listen` of the client library follows this list. Needs the scope `webhooks`.
         */
        get: operations["listWebhookResends"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/events/{id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an event again
         * @description Sends the event to every enabled endpoint that takes its type, or to which it was sent before. Needs the scope `webhooks`.
         */
        post: operations["redeliverWebhookEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/scenarios": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List scenarios */
        get: operations["listSandboxScenarios"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/wallets/{id}/fund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Credit test money
         * @description Every call credits the amount.
         */
        post: operations["fundSandboxWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/esims/{order_id}/install": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Install an eSIM
         * @description Acts as a device would.
         */
        post: operations["installSandboxEsim"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/esims/{order_id}/use": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Use data of an eSIM
         * @description Acts as a device would. With `megabytes` it can be repeated, until all data is used up.
         */
        post: operations["useSandboxEsim"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/esims/{order_id}/deplete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Use up the data of an eSIM
         * @description Acts as a device would.
         */
        post: operations["depleteSandboxEsim"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/esims/{order_id}/expire": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End the validity of an eSIM
         * @description Ends the eSIM as if its last day were over, whatever data is left.
         */
        post: operations["expireSandboxEsim"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/orders/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel an order
         * @description Cancels the order as an operator would. After a 503 the cancellation may still take effect: its result was unknown after 20 seconds.
         */
        post: operations["cancelSandboxOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/orders/{id}/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Release a held order
         * @description Releases an order that is under review, as an operator would: it is bought now. After a 503 the release may still take effect.
         */
        post: operations["releaseSandboxOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/claims/{id}/refund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept a claim by a refund
         * @description Decides the claim as an operator would.
         */
        post: operations["refundSandboxClaim"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/claims/{id}/replace": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept a claim by a replacement
         * @description Places the order that replaces the unit, as an operator would. The claim names it.
         */
        post: operations["replaceSandboxClaim"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/claims/{id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reject a claim
         * @description Decides the claim as an operator would.
         */
        post: operations["rejectSandboxClaim"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * ActivationStatus
         * @description The state of the profile; omitted until the order is delivered.
         * @example NOT_INSTALLED
         * @enum {string}
         */
        ActivationStatus: "NOT_INSTALLED" | "ACTIVE" | "EXPIRED";
        /**
         * Activity
         * @description An action in your account.
         * @example {
         *       "id": 38,
         *       "at": "2026-11-26T12:33:40.708Z",
         *       "actor": "api_key/1",
         *       "action": "allowed_networks.changed",
         *       "object": "allowed_networks",
         *       "address": "203.0.113.7"
         *     }
         */
        Activity: {
            /**
             * Format: int64
             * @description The entry.
             * @example 301
             */
            id: number;
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-01-31T12:00:00.000Z
             */
            at: string;
            /**
             * @description Who acted: `api_key/<id>`, `member/<id>`, `operator`, or `unknown` before a sign-in.
             * @example api_key/7
             */
            actor: string;
            /**
             * @description What happened.
             * @example api_key.created
             */
            action: string;
            /**
             * @description The object of the action.
             * @example api_key/8
             */
            object: string;
            /**
             * @description The address of the caller; null for an operator.
             * @example 203.0.113.7
             */
            address: string | null;
        };
        /**
         * AllowedNetworks
         * @description The networks from which you may order.
         * @example {
         *       "networks": [
         *         "203.0.113.0/24",
         *         "2001:db8::/32"
         *       ],
         *       "your_address": "203.0.113.7",
         *       "your_address_is_allowed": true
         *     }
         */
        AllowedNetworks: {
            /** @description Empty allows every address. */
            networks: string[];
            /**
             * @description The address of this call.
             * @example 203.0.113.7
             */
            your_address: string | null;
            /**
             * @description Whether you may order from it.
             * @example true
             */
            your_address_is_allowed: boolean;
        };
        /**
         * AllowedNetworksRequest
         * @example {
         *       "networks": [
         *         "203.0.113.0/24",
         *         "2001:db8::/32"
         *       ]
         *     }
         */
        AllowedNetworksRequest: {
            /**
             * @description All allowed networks (CIDR). Empty allows every address.
             * @example [
             *       "203.0.113.0/24",
             *       "2001:db8::/32"
             *     ]
             */
            networks: string[];
        };
        /**
         * ApiKey
         * @description An API key, without its secret.
         * @example {
         *       "id": 8,
         *       "api_key": "dgk_XoeOvee_TN7UWc-4MGc-",
         *       "label": "Shop server",
         *       "scopes": [
         *         "read",
         *         "orders:vouchers",
         *         "codes"
         *       ],
         *       "created_at": "2026-11-26T12:33:40.564Z",
         *       "expires_at": null,
         *       "last_used_at": null,
         *       "revoked_at": null
         *     }
         */
        ApiKey: {
            /**
             * Format: int64
             * @description The key.
             * @example 7
             */
            id: number;
            /**
             * @description The key itself, the `username` of a login. It is not secret.
             * @example dgk_2f6d9a4e8b1c7d3e5f60
             */
            api_key: string;
            /**
             * @description Your name for it; null if it has none.
             * @example Shop server
             */
            label: string | null;
            /** @description What it may do. */
            scopes: components["schemas"]["Scope"][];
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-01-01T09:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description From then on, it counts as revoked; null if it does not expire.
             * @example 2026-01-31T12:00:00.000Z
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description When it was last used, to the minute; null if it never was.
             * @example 2026-01-31T12:00:00.000Z
             */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @description When it was revoked; null if it was not.
             * @example 2026-01-31T12:00:00.000Z
             */
            revoked_at: string | null;
        };
        /**
         * ApiKeyRequest
         * @example {
         *       "label": "Shop server",
         *       "scopes": [
         *         "read",
         *         "orders:vouchers",
         *         "codes"
         *       ]
         *     }
         */
        ApiKeyRequest: {
            /**
             * @description Your name for the key.
             * @example Shop server
             */
            label?: string | null;
            /**
             * @description What the key may do. By default, everything but `admin`.
             * @example [
             *       "read",
             *       "orders:vouchers",
             *       "codes"
             *     ]
             */
            scopes?: components["schemas"]["Scope"][];
            /**
             * Format: date-time
             * @description When the key expires (RFC 3339). By default, never.
             * @example 2027-01-31T00:00:00Z
             */
            expires_at?: string | null;
        };
        /**
         * ApiKeyRoll
         * @example {
         *       "overlap_hours": 24
         *     }
         */
        ApiKeyRoll: {
            /**
             * Format: int64
             * @description The hours until the old key expires.
             * @default 24
             * @example 24
             */
            overlap_hours?: number;
        };
        /**
         * Category
         * @description A category of vouchers.
         * @example {
         *       "id": 1,
         *       "name": "Books & Learning"
         *     }
         */
        Category: {
            /**
             * Format: int64
             * @description The category.
             * @example 4
             */
            id: number;
            /**
             * @description Its name.
             * @example Food & Drink
             */
            name: string;
        };
        /**
         * Charges
         * @description The exact price of a top-up or eSIM order.
         * @example {
         *       "non_discounted_total": 10,
         *       "discount_amount": 0,
         *       "total_amount": 10,
         *       "discount": 0,
         *       "total_payable": 10,
         *       "charges_details": {
         *         "source_currency": "USD",
         *         "destination_currency": "USD"
         *       }
         *     }
         */
        Charges: {
            /**
             * Format: double
             * @description The list total (face value times quantity), in the product's currency.
             * @example 10
             */
            non_discounted_total: number;
            /**
             * Format: double
             * @description The discount as an amount.
             * @example 0.2
             */
            discount_amount: number;
            /**
             * Format: double
             * @description The list total less the discount.
             * @example 9.8
             */
            total_amount: number;
            /**
             * Format: double
             * @description Your discount in percent; 0 without one.
             * @example 2
             */
            discount: number;
            /**
             * Format: double
             * @description The price, which the order debits, in the wallet's currency.
             * @example 9.8
             */
            total_payable: number;
            /** @description The conversion. */
            charges_details: {
                /**
                 * @description The product's currency.
                 * @example USD
                 */
                source_currency: string;
                /**
                 * @description The wallet's currency.
                 * @example EUR
                 */
                destination_currency: string;
                /**
                 * Format: double
                 * @description The exchange rate from the product's currency to the wallet's.
                 * @example 0.92
                 */
                forex_rate?: number;
                /**
                 * Format: double
                 * @description The conversion fee in percent of the converted total.
                 * @example 2
                 */
                conversion_fee?: number;
            };
            /**
             * Format: double
             * @description `total_amount` in the wallet's currency.
             * @example 9.02
             */
            net_amount?: number;
            /**
             * Format: double
             * @description Always 0.
             * @example 0
             */
            handling_fee_amount?: number;
        };
        /**
         * Claim
         * @description A claim about delivered goods.
         * @example {
         *       "id": 1,
         *       "order_id": 1,
         *       "order_family": "VOUCHER",
         *       "unit": 1,
         *       "kind": "INVALID_CODE",
         *       "text": "The shop says that the card has no value.",
         *       "state": "OPEN",
         *       "outcome": null,
         *       "replacement_order_id": null,
         *       "created_at": "2026-11-26T06:18:31.204Z",
         *       "due_at": "2026-12-01T06:18:31.204Z",
         *       "closed_at": null
         *     }
         */
        Claim: {
            /**
             * Format: int64
             * @description The claim.
             * @example 7
             */
            id: number;
            /**
             * Format: int64
             * @description The order.
             * @example 17
             */
            order_id: number;
            /**
             * @description The family of the order.
             * @example VOUCHER
             * @enum {string}
             */
            order_family: "VOUCHER" | "TOPUP" | "ESIM";
            /**
             * Format: int64
             * @description The claimed unit of a voucher order, from 1; null for other families.
             * @example 1
             */
            unit: number | null;
            /**
             * @description What is wrong with the goods.
             * @example INVALID_CODE
             * @enum {string}
             */
            kind: "INVALID_CODE" | "ALREADY_USED" | "NOT_RECEIVED" | "WRONG_GOODS" | "NOT_WORKING";
            /**
             * @description Its state. An `ACCEPTED` claim without an outcome waits for its refund or its replacement.
             * @example OPEN
             * @enum {string}
             */
            state: "OPEN" | "AT_SUPPLIER" | "ACCEPTED" | "REJECTED";
            /**
             * @description What you got for the unit; null until then.
             * @example REFUNDED
             * @enum {string|null}
             */
            outcome: "REFUNDED" | "REPLACED" | null;
            /**
             * Format: int64
             * @description The order that replaces the unit.
             * @example 18
             */
            replacement_order_id: number | null;
            /**
             * Format: date-time
             * @description When it was filed.
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When we answer at the latest.
             * @example 2026-02-05T12:00:00.000Z
             */
            due_at: string;
            /**
             * Format: date-time
             * @description When it was closed; null until then.
             * @example 2026-02-01T12:00:00.000Z
             */
            closed_at: string | null;
            /**
             * @description Your text; empty once it is erased, and for members who do not see recipients.
             * @example The shop says that the card has no value.
             */
            text: string;
        };
        /**
         * ClaimUpdatedData
         * @description The data of an event about a claim. Read the claim for its text.
         * @example {
         *       "id": 1,
         *       "order_id": 1,
         *       "order_family": "VOUCHER",
         *       "unit": 1,
         *       "kind": "INVALID_CODE",
         *       "state": "REJECTED",
         *       "outcome": null,
         *       "replacement_order_id": null,
         *       "created_at": "2026-11-26T06:18:31.204Z",
         *       "due_at": "2026-12-01T06:18:31.204Z",
         *       "closed_at": "2026-11-26T06:18:31.310Z"
         *     }
         */
        ClaimUpdatedData: {
            /**
             * Format: int64
             * @description The claim.
             * @example 7
             */
            id: number;
            /**
             * Format: int64
             * @description The order.
             * @example 17
             */
            order_id: number;
            /**
             * @description The family of the order.
             * @example VOUCHER
             * @enum {string}
             */
            order_family: "VOUCHER" | "TOPUP" | "ESIM";
            /**
             * Format: int64
             * @description The claimed unit of a voucher order, from 1; null for other families.
             * @example 1
             */
            unit: number | null;
            /**
             * @description What is wrong with the goods.
             * @example INVALID_CODE
             * @enum {string}
             */
            kind: "INVALID_CODE" | "ALREADY_USED" | "NOT_RECEIVED" | "WRONG_GOODS" | "NOT_WORKING";
            /**
             * @description Its state. An `ACCEPTED` claim without an outcome waits for its refund or its replacement.
             * @example OPEN
             * @enum {string}
             */
            state: "OPEN" | "AT_SUPPLIER" | "ACCEPTED" | "REJECTED";
            /**
             * @description What you got for the unit; null until then.
             * @example REFUNDED
             * @enum {string|null}
             */
            outcome: "REFUNDED" | "REPLACED" | null;
            /**
             * Format: int64
             * @description The order that replaces the unit.
             * @example 18
             */
            replacement_order_id: number | null;
            /**
             * Format: date-time
             * @description When it was filed.
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When we answer at the latest.
             * @example 2026-02-05T12:00:00.000Z
             */
            due_at: string;
            /**
             * Format: date-time
             * @description When it was closed; null until then.
             * @example 2026-02-01T12:00:00.000Z
             */
            closed_at: string | null;
        };
        /**
         * ClaimUpdatedEvent
         * @description A claim has changed: its state, its outcome or its replacement.
         * @example {
         *       "id": "evt_4c7a90be15d84f2f9a61d03c7e85b2f4",
         *       "type": "claim.updated",
         *       "created_at": "2026-11-26T06:18:31.310Z",
         *       "data": {
         *         "id": 1,
         *         "order_id": 1,
         *         "order_family": "VOUCHER",
         *         "unit": 1,
         *         "kind": "INVALID_CODE",
         *         "state": "REJECTED",
         *         "outcome": null,
         *         "replacement_order_id": null,
         *         "created_at": "2026-11-26T06:18:31.204Z",
         *         "due_at": "2026-12-01T06:18:31.204Z",
         *         "closed_at": "2026-11-26T06:18:31.310Z"
         *       }
         *     }
         */
        ClaimUpdatedEvent: {
            /**
             * @description The id of the event, the same in every attempt.
             * @example evt_0f3c9a5e1b7d4f62a8c0d9e7b6a51234
             */
            id: string;
            /**
             * @description The type of the event.
             * @example claim.updated
             * @enum {string}
             */
            type: "claim.updated";
            /**
             * Format: date-time
             * @description When the event occurred.
             * @example 2026-01-31T12:00:00.123Z
             */
            created_at: string;
            data: components["schemas"]["ClaimUpdatedData"];
        };
        /**
         * Country
         * @description An active country.
         * @example {
         *       "id": 2,
         *       "name": "Afghanistan",
         *       "official_name": "Islamic Republic of Afghanistan",
         *       "alpha_2": "AF",
         *       "alpha_3": "AFG",
         *       "numeric_code": "004",
         *       "dialing_prefix": "+93"
         *     }
         */
        Country: {
            /**
             * Format: int64
             * @description The country.
             * @example 233
             */
            id: number;
            /**
             * @description Its usual name.
             * @example United States
             */
            name: string;
            /**
             * @description Its official name.
             * @example United States of America
             */
            official_name: string;
            /**
             * @description ISO 3166-1 alpha-2.
             * @example US
             */
            alpha_2: string;
            /**
             * @description ISO 3166-1 alpha-3.
             * @example USA
             */
            alpha_3: string;
            /**
             * @description ISO 3166-1 numeric, as text.
             * @example 840
             */
            numeric_code: string;
            /**
             * @description The country code of its telephone numbers, with a leading plus sign.
             * @example +1
             */
            dialing_prefix: string;
        };
        /**
         * CreatedApiKey
         * @description A new API key with its secret.
         * @example {
         *       "id": 7,
         *       "api_key": "dgk_f0zlGl2fjRnjUi-MgcSV",
         *       "label": "Shop server",
         *       "scopes": [
         *         "read",
         *         "orders:vouchers",
         *         "codes"
         *       ],
         *       "created_at": "2026-11-26T12:33:40.541Z",
         *       "expires_at": null,
         *       "last_used_at": null,
         *       "revoked_at": null,
         *       "api_secret": "dgs_3b1f..."
         *     }
         */
        CreatedApiKey: {
            /**
             * Format: int64
             * @description The key.
             * @example 7
             */
            id: number;
            /**
             * @description The key itself, the `username` of a login. It is not secret.
             * @example dgk_2f6d9a4e8b1c7d3e5f60
             */
            api_key: string;
            /**
             * @description Your name for it; null if it has none.
             * @example Shop server
             */
            label: string | null;
            /** @description What it may do. */
            scopes: components["schemas"]["Scope"][];
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-01-01T09:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description From then on, it counts as revoked; null if it does not expire.
             * @example 2026-01-31T12:00:00.000Z
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description When it was last used, to the minute; null if it never was.
             * @example 2026-01-31T12:00:00.000Z
             */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @description When it was revoked; null if it was not.
             * @example 2026-01-31T12:00:00.000Z
             */
            revoked_at: string | null;
            /**
             * @description The secret, the `password` of a login. It is shown only now.
             * @example dgs_3b1f...
             */
            api_secret: string;
        };
        /**
         * CreatedVoucherOrder
         * @description The response to a voucher order request.
         * @example {
         *       "id": 1,
         *       "client_reference": "my-first-order",
         *       "product_id": 1,
         *       "product_name": "Harbour Coffee Gift Card",
         *       "denomination": 10,
         *       "quantity": 1,
         *       "discount": 0.5,
         *       "amount": 10,
         *       "status": "DELIVERED",
         *       "base_currency": "USD",
         *       "deduction_currency": "USD",
         *       "wallet_id": 1,
         *       "charged_amount": 9.5,
         *       "charged_currency": "USD",
         *       "refunded_amount": 0,
         *       "message": "All vouchers are delivered",
         *       "vouchers": [
         *         {
         *           "card_number": "CJFNF66MR1VC2YY7",
         *           "pin_code": "794207",
         *           "claim_url": null,
         *           "expires_at": "2027-11-26T12:33:29.342Z",
         *           "voucher_reference_number": "VRW1QNPEQM"
         *         }
         *       ]
         *     }
         */
        CreatedVoucherOrder: {
            /**
             * Format: int64
             * @description The order.
             * @example 17
             */
            id: number;
            /**
             * Format: int64
             * @description The product.
             * @example 1
             */
            product_id: number;
            /**
             * @description Its name.
             * @example Harbour Coffee Gift Card
             */
            product_name: string;
            /**
             * Format: double
             * @description Face value of one voucher.
             * @example 10
             */
            denomination: number;
            /**
             * Format: int64
             * @description The number of vouchers.
             * @example 1
             */
            quantity: number;
            /**
             * Format: double
             * @description The discount, in the product's currency.
             * @example 0.2
             */
            discount: number;
            /**
             * Format: double
             * @description Face value times quantity, in the product's currency.
             * @example 10
             */
            amount: number;
            status: components["schemas"]["VoucherOrderStatus"];
            /**
             * @description The product's currency.
             * @example USD
             */
            base_currency: string;
            /**
             * @description The wallet's currency.
             * @example USD
             */
            deduction_currency: string;
            /**
             * Format: double
             * @description The debited amount; 0 if nothing was debited.
             * @example 9.8
             */
            charged_amount: number;
            /**
             * @description The wallet's currency.
             * @example USD
             */
            charged_currency: string;
            /**
             * Format: double
             * @description The sum of all credited refunds; 0 until one is credited.
             * @example 0
             */
            refunded_amount: number;
            /**
             * @description The state of the order, for people.
             * @example All vouchers are delivered
             */
            message: string;
            /**
             * Format: int64
             * @description The wallet that pays.
             * @example 1
             */
            wallet_id: number;
            /**
             * @description Your name for the order; omitted if you gave none.
             * @example my-first-order
             */
            client_reference?: string;
            /**
             * @description The delivery email; omitted if there is none.
             * @example buyer@client.example
             */
            email?: string;
            /**
             * Format: int64
             * @description The transaction of the first refund; omitted until there is one.
             * @example 5022
             */
            refund_transaction_id?: number;
            /** @description The unit that the order replaces; omitted if it replaces none. */
            replaces?: {
                /**
                 * Format: int64
                 * @description The order of the unit.
                 * @example 17
                 */
                order_id: number;
                /**
                 * Format: int64
                 * @description The unit of a voucher order, from 1; null for other families.
                 * @example 1
                 */
                unit: number | null;
            };
            /** @description The orders that replace units of this order; omitted if there are none. */
            replacements?: {
                /**
                 * Format: int64
                 * @description The unit of a voucher order, from 1; null for other families.
                 * @example 1
                 */
                unit: number | null;
                /**
                 * Format: int64
                 * @description The order that replaces it.
                 * @example 18
                 */
                order_id: number;
                /**
                 * Format: date-time
                 * @description When it was delivered; null until then.
                 * @example 2026-02-01T12:00:00.000Z
                 */
                replaced_at: string | null;
            }[];
            /** @description The delivered vouchers. Empty while the order is PENDING. Omitted for keys without the scope `codes`. */
            vouchers?: components["schemas"]["Voucher"][];
            failure_code?: components["schemas"]["FailureCode"];
            /**
             * @description Why the order failed, for the customer.
             * @example The recipient identifier is malformed or not recognised. Check it and order again.
             */
            failure_reason?: string;
            /**
             * @description Whether a corrected order can succeed.
             * @example true
             */
            is_user_fixable?: boolean;
        };
        /**
         * CreatedWebhookEndpoint
         * @description A new endpoint with its secret.
         * @example {
         *       "id": 1,
         *       "url": "https://shop.example/hook",
         *       "description": "",
         *       "event_types": [
         *         "order.delivered",
         *         "order.failed"
         *       ],
         *       "enabled": true,
         *       "disabled_reason": null,
         *       "failing_since": null,
         *       "verified_at": null,
         *       "created_at": "2026-11-26T12:33:27.791Z",
         *       "updated_at": "2026-11-26T12:33:27.791Z",
         *       "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
         *     }
         */
        CreatedWebhookEndpoint: {
            /**
             * Format: int64
             * @description The endpoint.
             * @example 3
             */
            id: number;
            /**
             * @description Where events are posted.
             * @example https://shop.example/hook
             */
            url: string;
            /**
             * @description Your description; may be empty.
             * @example Shop
             */
            description: string;
            /**
             * @description The event types of the endpoint; empty means all except those of top-ups and `esim.usage`.
             * @example [
             *       "order.delivered",
             *       "order.failed"
             *     ]
             */
            event_types: components["schemas"]["EventType"][];
            /**
             * @description Whether events are sent to it.
             * @example true
             */
            enabled: boolean;
            /**
             * @description Why the service disabled the endpoint; null if it did not.
             * @example null
             * @enum {string|null}
             */
            disabled_reason: "FAILING" | "GONE" | null;
            /**
             * Format: date-time
             * @description The time of the first failed attempt since the last success; null while the endpoint works or no event waits.
             * @example null
             */
            failing_since: string | null;
            /**
             * Format: date-time
             * @description When the URL first responded to an event with 2xx; null before.
             * @example 2026-01-31T12:00:00.000Z
             */
            verified_at: string | null;
            /**
             * Format: date-time
             * @description When it was registered.
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-01-31T12:00:00.000Z
             */
            updated_at: string;
            /**
             * @description The key of the signatures. Keep it secret.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
             */
            secret: string;
        };
        /**
         * Currency
         * @description A currency.
         * @example {
         *       "id": 1,
         *       "name": "UAE Dirham",
         *       "code": "AED",
         *       "numeric_code": "784",
         *       "symbol": "AED",
         *       "minor_unit": 2
         *     }
         */
        Currency: {
            /**
             * Format: int64
             * @description The currency.
             * @example 150
             */
            id: number;
            /**
             * @description Its name.
             * @example US Dollar
             */
            name: string;
            /**
             * @description ISO 4217.
             * @example USD
             */
            code: string;
            /**
             * @description ISO 4217 numeric, as text.
             * @example 840
             */
            numeric_code: string;
            /**
             * @description Its sign.
             * @example $
             */
            symbol: string;
            /**
             * Format: int64
             * @description Digits after the point of an amount.
             * @example 2
             */
            minor_unit: number;
        };
        /**
         * EndpointEventType
         * @description A type that an endpoint can list.
         * @example order.delivered
         * @enum {string}
         */
        EndpointEventType: "order.delivered" | "order.partially_delivered" | "order.failed" | "order.cancelled" | "topup.delivered" | "topup.failed" | "topup.cancelled" | "esim.delivered" | "esim.failed" | "esim.cancelled" | "order.refunded" | "topup.refunded" | "esim.refunded" | "claim.updated" | "esim.installed" | "esim.activated" | "esim.depleted" | "esim.usage" | "wallet.credited" | "wallet.debited" | "wallet.low_balance";
        /**
         * Error
         * @description The envelope of every error. Branch on `code`.
         */
        Error: {
            error: {
                /**
                 * @description The kind of error. All codes of a status share it, except those of 400.
                 * @example ValidationException
                 * @enum {string}
                 */
                name: "ValidationException" | "BadRequestError" | "UnauthorizedError" | "ForbiddenError" | "NotFoundError" | "MethodNotAllowedError" | "RequestTimeoutError" | "ConflictError" | "PayloadTooLargeError" | "UnprocessableEntityError" | "TooManyRequestsError" | "HeadersTooLargeError" | "InternalServerError" | "ServiceUnavailableError" | "GatewayTimeoutError";
                /**
                 * @description The error code, for programs.
                 * @example VALIDATION_FAILURE
                 * @enum {string}
                 */
                code: "VALIDATION_FAILURE" | "BAD_REQUEST" | "INVALID_FEATURE" | "DUPLICATE_CLIENT_REFERENCE" | "INSUFFICIENT_BALANCE" | "EXCHANGE_RATE_UNAVAILABLE" | "VOUCHER_NOT_REDEEMABLE" | "BULK_LIMIT_EXCEEDED" | "CLIENT_LIMIT_EXCEEDED" | "CLAIM_TOO_LATE" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "REQUEST_TIMEOUT" | "IDEMPOTENCY_KEY_IN_USE" | "REPLAY_IN_PROGRESS" | "SECRET_UNREADABLE" | "NOT_POSSIBLE_NOW" | "CLAIM_NOT_POSSIBLE" | "PAYLOAD_TOO_LARGE" | "IDEMPOTENCY_KEY_REUSED" | "TOO_MANY_REQUESTS" | "HEADERS_TOO_LARGE" | "INTERNAL_ERROR" | "SERVICE_UNAVAILABLE" | "OUTCOME_UNKNOWN";
                /**
                 * @description The first error that was found, for people.
                 * @example Invalid request body
                 */
                message: string;
                /**
                 * @description The field of the body, the parameter or the header that is to blame; omitted if it is not exactly one.
                 * @example denomination
                 */
                param?: string;
            };
        };
        /**
         * EsimActivatedData
         * @description The data of an event about an eSIM order.
         * @example {
         *       "id": 10,
         *       "amount": 5,
         *       "status": "DELIVERED",
         *       "currency": "USD",
         *       "country_code": "GLO",
         *       "product_name": "Sandbox eSIM",
         *       "validity_days": 7,
         *       "data_amount_gb": 1,
         *       "client_reference": "my-first-esim",
         *       "activation_status": "ACTIVE",
         *       "iccid": "8988591023040447349"
         *     }
         */
        EsimActivatedData: {
            /**
             * Format: int64
             * @description The order.
             * @example 17
             */
            id: number;
            /**
             * @description The state of the order.
             * @example DELIVERED
             * @enum {string}
             */
            status: "DELIVERED";
            /**
             * @description The state of the profile.
             * @example NOT_INSTALLED
             * @enum {string|null}
             */
            activation_status: "NOT_INSTALLED" | "ACTIVE" | "EXPIRED" | null;
            /**
             * @description The name of the product.
             * @example United States eSIM
             */
            product_name: string;
            /**
             * @description The country of the product.
             * @example USA
             */
            country_code: string;
            /**
             * Format: double
             * @description Data in GB; 0 is unlimited.
             * @example 5
             */
            data_amount_gb: number;
            /**
             * Format: int64
             * @description Days of validity, from first use.
             * @example 30
             */
            validity_days: number;
            /**
             * Format: double
             * @description The debited amount, in the wallet's currency.
             * @example 12.5
             */
            amount: number;
            /**
             * @description The wallet's currency.
             * @example USD
             */
            currency: string;
            /**
             * @description The serial number of the SIM; null if there is none.
             * @example 8988303000000614227
             */
            iccid: string | null;
            /**
             * @description Your name for the order; omitted if you gave none.
             * @example my-first-order
             */
            client_reference?: string;
        };
        /**
         * EsimActivatedEvent
         * @description The profile has used its first data.
         * @example {
         *       "id": "evt_3d801dfcef624205ab8c2653c4e691b1",
         *       "type": "esim.activated",
         *       "created_at": "2026-11-26T12:33:38.523Z",
         *       "data": {
         *         "id": 10,
         *         "amount": 5,
         *         "status": "DELIVERED",
         *         "currency": "USD",
         *         "country_code": "GLO",
         *         "product_name": "Sandbox eSIM",
         *         "validity_days": 7,
         *         "data_amount_gb": 1,
         *         "client_reference": "my-first-esim",
         *         "activation_status": "ACTIVE",
         *         "iccid": "8988591023040447349"
         *       }
         *     }
         */
        EsimActivatedEvent: {
            /**
             * @description The id of the event, the same in every attempt.
             * @example evt_0f3c9a5e1b7d4f62a8c0d9e7b6a51234
             */
            id: string;
            /**
             * @description The type of the event.
             * @example esim.activated
             * @enum {string}
             */
            type: "esim.activated";
            /**
             * Format: date-time
             * @description When the event occurred.
             * @example 2026-01-31T12:00:00.123Z
             */
            created_at: string;
            data: components["schemas"]["EsimActivatedData"];
        };
        /**
         * EsimCancelledData
         * @description The data of an event about an eSIM order.
         * @example {
         *       "id": 13,
         *       "amount": 5.1,
         *       "status": "CANCELLED",
         *       "currency": "USD",
         *       "country_code": "GLO",
         *       "product_name": "Sandbox eSIM",
         *       "validity_days": 7,
         *       "data_amount_gb": 1,
         *       "client_reference": "slow-esim",
         *       "activation_status": null,
         *       "iccid": null
         *     }
         */
        EsimCancelledData: {
            /**
             * Format: int64
             * @description The order.
             * @example 17
             */
            id: number;
            /**
             * @description The state of the order.
             * @example CANCELLED
             * @enum {string}
             */
            status: "CANCELLED";
            /**
             * @description The state of the profile.
             * @example NOT_INSTALLED
             * @enum {string|null}
             */
            activation_status: "NOT_INSTALLED" | "ACTIVE" | "EXPIRED" | null;
            /**
             * @description The name of the product.
             * @example United States eSIM
             */
            product_name: string;
            /**
             * @description The country of the product.
             * @example USA
             */
            country_code: string;
            /**
             * Format: double
             * @description Data in GB; 0 is unlimited.
             * @example 5
             */
            data_amount_gb: number;
            /**
             * Format: int64
             * @description Days of validity, from first use.
             * @example 30
             */
            validity_days: number;
            /**
             * Format: double
             * @description The debited amount, in the wallet's currency.
             * @example 12.5
             */
            amount: number;
            /**
             * @description The wallet's currency.
             * @example USD
             */
            currency: string;
            /**
             * @description The serial number of the SIM; null if there is none.
             * @example 8988303000000614227
             */
            iccid: string | null;
            /**
             * @description Your name for the order; omitted if you gave none.
             * @example my-first-order
             */
            client_reference?: string;
        };
        /**
         * EsimCancelledEvent
         * @description An eSIM order was cancelled.
         * @example {
         *       "id": "evt_2207d83b3aca44b3a8151df5892266c0",
         *       "type": "esim.cancelled",
         *       "created_at": "2026-11-26T12:33:39.812Z",
         *       "data": {
         *         "id": 13,
         *         "amount": 5.1,
         *         "status": "CANCELLED",
         *         "currency": "USD",
         *         "country_code": "GLO",
         *         "product_name": "Sandbox eSIM",
         *         "validity_days": 7,
         *         "data_amount_gb": 1,
         *         "client_reference": "slow-esim",
         *         "activation_status": null,
         *         "iccid": null
         *       }
         *     }
         */
        EsimCancelledEvent: {
            /**
             * @description The id of the event, the same in every attempt.
             * @example evt_0f3c9a5e1b7d4f62a8c0d9e7b6a51234
             */
            id: string;
            /**
             * @description The type of the event.
             * @example esim.cancelled
             * @enum {string}
             */
            type: "esim.cancelled";
            /**
             * Format: date-time
             * @description When the event occurred.
             * @example 2026-01-31T12:00:00.123Z
             */
            created_at: string;
            data: components["schemas"]["EsimCancelledData"];
        };
        /**
         * EsimChargesRequest
         * @example {
         *       "product_id": 5,
         *       "amount": 5
         *     }
         */
        EsimChargesRequest: {
            /**
             * Format: int64
             * @description The product.
             * @example 3
             */
            product_id: number;
            /**
             * Format: double
             * @description Selects the variant: one of its fixed amounts, or an amount within its bounds.
             * @example 10
             */
            amount: number;
            /**
             * Format: int64
             * @description The wallet that pays. Default: the one in the currency of the variant, else your default wallet.
             * @example 1
             */
            wallet_id?: number | null;
        };
        /**
         * EsimClaimRequest
         * @example {
         *       "kind": "NOT_WORKING",
         *       "text": "The phone cannot install the profile."
         *     }
         */
        EsimClaimRequest: {
            /**
             * @description What is wrong with the goods.
             * @example INVALID_CODE
             * @enum {string}
             */
            kind: "INVALID_CODE" | "ALREADY_USED" | "NOT_RECEIVED" | "WRONG_GOODS" | "NOT_WORKING";
            /** @description Leave it out: the order has one unit. */
            unit?: string | null;
            /**
             * @description What happened, in your words. Name no other customer.
             * @example The shop says that the card has no value.
             */
            text: string;
        };
        /**
         * EsimDeliveredData
         * @description The data of an event about an eSIM order.
         * @example {
         *       "id": 11,
         *       "amount": 5,
         *       "status": "DELIVERED",
         *       "currency": "USD",
         *       "country_code": "GLO",
         *       "product_name": "Sandbox eSIM",
         *       "validity_days": 7,
         *       "data_amount_gb": 1,
         *       "activation_status": "NOT_INSTALLED",
         *       "iccid": "8988456293723503320"
         *     }
         */
        EsimDeliveredData: {
            /**
             * Format: int64
             * @description The order.
             * @example 17
             */
            id: number;
            /**
             * @description The state of the order.
             * @example DELIVERED
             * @enum {string}
             */
            status: "DELIVERED";
            /**
             * @description The state of the profile.
             * @example NOT_INSTALLED
             * @enum {string|null}
             */
            activation_status: "NOT_INSTALLED" | "ACTIVE" | "EXPIRED" | null;
            /**
             * @description The name of the product.
             * @example United States eSIM
             */
            product_name: string;
            /**
             * @description The country of the product.
             * @example USA
             */
            country_code: string;
            /**
             * Format: double
             * @description Data in GB; 0 is unlimited.
             * @example 5
             */
            data_amount_gb: number;
            /**
             * Format: int64
             * @description Days of validity, from first use.
             * @example 30
             */
            validity_days: number;
            /**
             * Format: double
             * @description The debited amount, in the wallet's currency.
             * @example 12.5
             */
            amount: number;
            /**
             * @description The wallet's currency.
             * @example USD
             */
            currency: string;
            /**
             * @description The serial number of the SIM; null if there is none.
             * @example 8988303000000614227
             */
            iccid: string | null;
            /**
             * @description Your name for the order; omitted if you gave none.
             * @example my-first-order
             */
            client_reference?: string;
        };
        /**
         * EsimDeliveredEvent
         * @description An eSIM was delivered: read its activation code.
         * @example {
         *       "id": "evt_da7e825660004497a4d9e9c6b5449c85",
         *       "type": "esim.delivered",
         *       "created_at": "2026-11-26T12:33:38.828Z",
         *       "data": {
         *         "id": 11,
         *         "amount": 5,
         *         "status": "DELIVERED",
         *         "currency": "USD",
         *         "country_code": "GLO",
         *         "product_name": "Sandbox eSIM",
         *         "validity_days": 7,
         *         "data_amount_gb": 1,
         *         "activation_status": "NOT_INSTALLED",
         *         "iccid": "8988456293723503320"
         *       }
         *     }
         */
        EsimDeliveredEvent: {
            /**
             * @description The id of the event, the same in every attempt.
             * @example evt_0f3c9a5e1b7d4f62a8c0d9e7b6a51234
             */
            id: string;
            /**
             * @description The type of the event.
             * @example esim.delivered
             * @enum {string}
             */
            type: "esim.delivered";
            /**
             * Format: date-time
             * @description When the event occurred.
             * @example 2026-01-31T12:00:00.123Z
             */
            created_at: string;
            data: components["schemas"]["EsimDeliveredData"];
        };
        /**
         * EsimDepletedData
         * @description The data of an event about an eSIM order.
         * @example {
         *       "id": 11,
         *       "amount": 5,
         *       "status": "DELIVERED",
         *       "currency": "USD",
         *       "country_code": "GLO",
         *       "product_name": "Sandbox eSIM",
         *       "validity_days": 7,
         *       "data_amount_gb": 1,
         *       "activation_status": "EXPIRED",
         *       "iccid": "8988456293723503320"
         *     }
         */
        EsimDepletedData: {
            /**
             * Format: int64
             * @description The order.
             * @example 17
             */
            id: number;
            /**
             * @description The state of the order.
             * @example DELIVERED
             * @enum {string}
             */
            status: "DELIVERED";
            /**
             * @description The state of the profile.
             * @example NOT_INSTALLED
             * @enum {string|null}
             */
            activation_status: "NOT_INSTALLED" | "ACTIVE" | "EXPIRED" | null;
            /**
             * @description The name of the product.
             * @example United States eSIM
             */
            product_name: string;
            /**
             * @description The country of the product.
             * @example USA
             */
            country_code: string;
            /**
             * Format: double
             * @description Data in GB; 0 is unlimited.
             * @example 5
             */
            data_amount_gb: number;
            /**
             * Format: int64
             * @description Days of validity, from first use.
             * @example 30
             */
            validity_days: number;
            /**
             * Format: double
             * @description The debited amount, in the wallet's currency.
             * @example 12.5
             */
            amount: number;
            /**
             * @description The wallet's currency.
             * @example USD
             */
            currency: string;
            /**
             * @description The serial number of the SIM; null if there is none.
             * @example 8988303000000614227
             */
            iccid: string | null;
            /**
             * @description Your name for the order; omitted if you gave none.
             * @example my-first-order
             */
            client_reference?: string;
        };
        /**
         * EsimDepletedEvent
         * @description Data or validity of the profile are used up.
         * @example {
         *       "id": "evt_fa6d9246456b4c229cb80e2bb8125c9c",
         *       "type": "esim.depleted",
         *       "created_at": "2026-11-26T12:33:39.035Z",
         *       "data": {
         *         "id": 11,
         *         "amount": 5,
         *         "status": "DELIVERED",
         *         "currency": "USD",
         *         "country_code": "GLO",
         *         "product_name": "Sandbox eSIM",
         *         "validity_days": 7,
         *         "data_amount_gb": 1,
         *         "activation_status": "EXPIRED",
         *         "iccid": "8988456293723503320"
         *       }
         *     }
         */
        EsimDepletedEvent: {
            /**
             * @description The id of the event, the same in every attempt.
             * @example evt_0f3c9a5e1b7d4f62a8c0d9e7b6a51234
             */
            id: string;
            /**
             * @description The type of the event.
             * @example esim.depleted
             * @enum {string}
             */
            type: "esim.depleted";
            /**
             * Format: date-time
             * @description When the event occurred.
             * @example 2026-01-31T12:00:00.123Z
             */
            created_at: string;
            data: components["schemas"]["EsimDepletedData"];
        };
        /**
         * EsimFailedData
         * @description The data of an event about an eSIM order.
         * @example {
         *       "id": 12,
         *       "amount": 5.2,
         *       "status": "FAILED",
         *       "currency": "USD",
         *       "country_code": "GLO",
         *       "failure_code": "PRODUCT_OUT_OF_STOCK",
         *       "product_name": "Sandbox eSIM",
         *       "validity_days": 7,
         *       "data_amount_gb": 1,
         *       "activation_status": null,
         *       "iccid": null,
         *       "failure_reason": "The product is out of stock. Pick another or try again later.",
         *       "is_user_fixable": true
         *     }
         */
        EsimFailedData: {
            /**
             * Format: int64
             * @description The order.
             * @example 17
             */
            id: number;
            /**
             * @description The state of the order.
             * @example FAILED
             * @enum {string}
             */
            status: "FAILED";
            /**
             * @description The state of the profile.
             * @example NOT_INSTALLED
             * @enum {string|null}
             */
            activation_status: "NOT_INSTALLED" | "ACTIVE" | "EXPIRED" | null;
            /**
             * @description The name of the product.
             * @example United States eSIM
             */
            product_name: string;
            /**
             * @description The country of the product.
             * @example USA
             */
            country_code: string;
            /**
             * Format: double
             * @description Data in GB; 0 is unlimited.
             * @example 5
             */
            data_amount_gb: number;
            /**
             * Format: int64
             * @description Days of validity, from first use.
             * @example 30
             */
            validity_days: number;
            /**
             * Format: double
             * @description The debited amount, in the wallet's currency.
             * @example 12.5
             */
            amount: number;
            /**
             * @description The wallet's currency.
             * @example USD
             */
            currency: string;
            /**
             * @description The serial number of the SIM; null if there is none.
             * @example 8988303000000614227
             */
            iccid: string | null;
            failure_code: components["schemas"]["FailureCode"];
            /**
             * @description Why the order failed, for the customer.
             * @example The recipient identifier is malformed or not recognised. Check it and order again.
             */
            failure_reason: string;
            /**
             * @description Whether a corrected order can succeed.
             * @example true
             */
            is_user_fixable: boolean;
            /**
             * @description Your name for the order; omitted if you gave none.
             * @example my-first-order
             */
            client_reference?: string;
        };
        /**
         * EsimFailedEvent
         * @description An eSIM could not be delivered.
         * @example {
         *       "id": "evt_96045b9bb37f447eb0a351588d41c3be",
         *       "type": "esim.failed",
         *       "created_at": "2026-11-26T12:33:39.296Z",
         *       "data": {
         *         "id": 12,
         *         "amount": 5.2,
         *         "status": "FAILED",
         *         "currency": "USD",
         *         "country_code": "GLO",
         *         "failure_code": "PRODUCT_OUT_OF_STOCK",
         *         "product_name": "Sandbox eSIM",
         *         "validity_days": 7,
         *         "data_amount_gb": 1,
         *         "activation_status": null,
         *         "iccid": null,
         *         "failure_reason": "The product is out of stock. Pick another or try again later.",
         *         "is_user_fixable": true
         *       }
         *     }
         */
        EsimFailedEvent: {
            /**
             * @description The id of the event, the same in every attempt.
             * @example evt_0f3c9a5e1b7d4f62a8c0d9e7b6a51234
             */
            id: string;
            /**
             * @description The type of the event.
             * @example esim.failed
             * @enum {string}
             */
            type: "esim.failed";
            /**
             * Format: date-time
             * @description When the event occurred.
             * @example 2026-01-31T12:00:00.123Z
             */
            created_at: string;
            data: components["schemas"]["EsimFailedData"];
        };
        /**
         * EsimInstallation
         * @description How a device installs the profile. Keys without the scope `codes` get only the steps.
         * @example {
         *       "activation_code": "LPA:1$smdp.sandbox-esim.example$8VXJ728MQBDS07JSM1K4",
         *       "links": {
         *         "lpa": "LPA:1$smdp.sandbox-esim.example$8VXJ728MQBDS07JSM1K4",
         *         "apple": "https://esimsetup.apple.com/esim_qrcode_provisioning?carddata=LPA%3A1%24smdp.sandbox-esim.example%248VXJ728MQBDS07JSM1K4",
         *         "android": "https://esimsetup.android.com/esim_qrcode_provisioning?carddata=LPA%3A1%24smdp.sandbox-esim.example%248VXJ728MQBDS07JSM1K4"
         *       },
         *       "instructions": [
         *         "Connect the phone to Wi-Fi. It must support eSIM and must not be locked to an operator.",
         *         "If you have a link for your phone, open it. If it does not start the installation, open the settings. iPhone: Settings > Mobile Data (or Cellular) > Add eSIM > Use QR Code > Enter Details Manually. Android: Settings > Network & internet > SIMs > Add SIM > Set up an eSIM (Samsung: Settings > Connections > SIM manager > Add eSIM).",
         *         "In the settings, choose to enter the details yourself, and type them in.",
         *         "Where you use the eSIM, choose it for mobile data and switch data roaming on.",
         *         "The code works once: do not remove the eSIM before it is used up."
         *       ]
         *     }
         */
        EsimInstallation: {
            /** @description The steps for a person, in their order. */
            instructions: string[];
            /**
             * @description The code that installs the profile. Present while the eSIM is delivered and not installed, for keys with the scope `codes`; null if it is unreadable.
             * @example LPA:1$smdp.supplier.example$9F1C-1A52-7D0E
             */
            activation_code?: string | null;
            /** @description Addresses that open the installation on the device; null if the code is unreadable. */
            links?: {
                /**
                 * @description For programs that handle `LPA:`, and the content of a QR code.
                 * @example LPA:1$smdp.supplier.example$9F1C-1A52-7D0E
                 */
                lpa: string;
                /**
                 * @description Opens the settings of an iPhone with iOS 17.4 or newer.
                 * @example https://esimsetup.apple.com/esim_qrcode_provisioning?carddata=LPA%3A1%24smdp.supplier.example%249F1C-1A52-7D0E
                 */
                apple: string;
                /**
                 * @description Opens the settings of an Android phone whose maker supports it.
                 * @example https://esimsetup.android.com/esim_qrcode_provisioning?carddata=LPA%3A1%24smdp.supplier.example%249F1C-1A52-7D0E
                 */
                android: string;
            } | null;
        };
        /**
         * EsimInstalledData
         * @description The data of an event about an eSIM order.
         * @example {
         *       "id": 11,
         *       "amount": 5,
         *       "status": "DELIVERED",
         *       "currency": "USD",
         *       "country_code": "GLO",
         *       "product_name": "Sandbox eSIM",
         *       "validity_days": 7,
         *       "data_amount_gb": 1,
         *       "activation_status": "ACTIVE",
         *       "iccid": "8988456293723503320"
         *     }
         */
        EsimInstalledData: {
            /**
             * Format: int64
             * @description The order.
             * @example 17
             */
            id: number;
            /**
             * @description The state of the order.
             * @example DELIVERED
             * @enum {string}
             */
            status: "DELIVERED";
            /**
             * @description The state of the profile.
             * @example NOT_INSTALLED
             * @enum {string|null}
             */
            activation_status: "NOT_INSTALLED" | "ACTIVE" | "EXPIRED" | null;
            /**
             * @description The name of the product.
             * @example United States eSIM
             */
            product_name: string;
            /**
             * @description The country of the product.
             * @example USA
             */
            country_code: string;
            /**
             * Format: double
             * @description Data in GB; 0 is unlimited.
             * @example 5
             */
            data_amount_gb: number;
            /**
             * Format: int64
             * @description Days of validity, from first use.
             * @example 30
             */
            validity_days: number;
            /**
             * Format: double
             * @description The debited amount, in the wallet's currency.
             * @example 12.5
             */
            amount: number;
            /**
             * @description The wallet's currency.
             * @example USD
             */
            currency: string;
            /**
             * @description The serial number of the SIM; null if there is none.
             * @example 8988303000000614227
             */
            iccid: string | null;
            /**
             * @description Your name for the order; omitted if you gave none.
             * @example my-first-order
             */
            client_reference?: string;
        };
        /**
         * EsimInstalledEvent
         * @description A device has downloaded the profile.
         * @example {
         *       "id": "evt_88d62d4d342d4809a3e256a30a097ca1",
         *       "type": "esim.installed",
         *       "created_at": "2026-11-26T12:33:38.935Z",
         *       "data": {
         *         "id": 11,
         *         "amount": 5,
         *         "status": "DELIVERED",
         *         "currency": "USD",
         *         "country_code": "GLO",
         *         "product_name": "Sandbox eSIM",
         *         "validity_days": 7,
         *         "data_amount_gb": 1,
         *         "activation_status": "ACTIVE",
         *         "iccid": "8988456293723503320"
         *       }
         *     }
         */
        EsimInstalledEvent: {
            /**
             * @description The id of the event, the same in every attempt.
             * @example evt_0f3c9a5e1b7d4f62a8c0d9e7b6a51234
             */
            id: string;
            /**
             * @description The type of the event.
             * @example esim.installed
             * @enum {string}
             */
            type: "esim.installed";
            /**
             * Format: date-time
             * @description When the event occurred.
             * @example 2026-01-31T12:00:00.123Z
             */
            created_at: string;
            data: components["schemas"]["EsimInstalledData"];
        };
        /**
         * EsimOrder
         * @description An eSIM order.
         * @example {
         *       "id": 10,
         *       "client_reference": "my-first-esim",
         *       "product_name": "Sandbox eSIM",
         *       "country_code": "GLO",
         *       "amount": 5,
         *       "currency": "USD",
         *       "status": "DELIVERED",
         *       "status_text": "The eSIM was delivered",
         *       "transaction_id": 25,
         *       "created_at": "2026-11-26T12:33:38.048Z",
         *       "data_amount_gb": 1,
         *       "validity_days": 7,
         *       "is_installed": false,
         *       "activation_status": "NOT_INSTALLED",
         *       "iccid": "8988591023040447349",
         *       "charged_amount": 5,
         *       "charged_currency": "USD",
         *       "refunded_amount": 0,
         *       "activation_code": "LPA:1$smdp.sandbox-esim.example$8VXJ728MQBDS07JSM1K4"
         *     }
         */
        EsimOrder: {
            /**
             * Format: int64
             * @description The order.
             * @example 17
             */
            id: number;
            /**
             * @description The name of the product.
             * @example United States eSIM
             */
            product_name: string;
            /**
             * @description The country of the product (ISO 3166-1 alpha-3, or `GLO`).
             * @example USA
             */
            country_code: string;
            /**
             * Format: double
             * @description The debited price, in the wallet's currency.
             * @example 10
             */
            amount: number;
            /**
             * @description The wallet's currency.
             * @example USD
             */
            currency: string;
            status: components["schemas"]["EsimOrderStatus"];
            /**
             * @description The state of the order, for people.
             * @example The eSIM was delivered
             */
            status_text: string;
            /**
             * Format: date-time
             * @description When the order was placed.
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: double
             * @description Data in GB; 0 is unlimited.
             * @example 5
             */
            data_amount_gb: number;
            /**
             * Format: int64
             * @description Days of validity, from first use.
             * @example 30
             */
            validity_days: number;
            /**
             * @description Whether a device has downloaded the profile.
             * @example false
             */
            is_installed: boolean;
            /**
             * Format: double
             * @description The debited amount; 0 if nothing was debited.
             * @example 9.8
             */
            charged_amount: number;
            /**
             * @description The wallet's currency.
             * @example USD
             */
            charged_currency: string;
            /**
             * Format: double
             * @description The sum of all credited refunds; 0 until one is credited.
             * @example 0
             */
            refunded_amount: number;
            /**
             * @description Your name for the order; omitted if you gave none.
             * @example my-first-order
             */
            client_reference?: string;
            /**
             * Format: int64
             * @description The transaction that debited the wallet; omitted if nothing was debited.
             * @example 5021
             */
            transaction_id?: number;
            /** @description The unit that the order replaces; omitted if it replaces none. */
            replaces?: {
                /**
                 * Format: int64
                 * @description The order of the unit.
                 * @example 17
                 */
                order_id: number;
                /**
                 * Format: int64
                 * @description The unit of a voucher order, from 1; null for other families.
                 * @example 1
                 */
                unit: number | null;
            };
            /** @description The orders that replace units of this order; omitted if there are none. */
            replacements?: {
                /**
                 * Format: int64
                 * @description The unit of a voucher order, from 1; null for other families.
                 * @example 1
                 */
                unit: number | null;
                /**
                 * Format: int64
                 * @description The order that replaces it.
                 * @example 18
                 */
                order_id: number;
                /**
                 * Format: date-time
                 * @description When it was delivered; null until then.
                 * @example 2026-02-01T12:00:00.000Z
                 */
                replaced_at: string | null;
            }[];
            /**
             * Format: date-time
             * @description When a device downloaded the profile; omitted until then.
             * @example 2026-02-01T08:00:00.000Z
             */
            installed_at?: string;
            /**
             * Format: date-time
             * @description When it first used data; omitted until then.
             * @example 2026-02-01T08:05:00.000Z
             */
            activated_at?: string;
            activation_status?: components["schemas"]["ActivationStatus"];
            /**
             * @description The serial number of the SIM; omitted until the order is delivered, null if it is unreadable, and for members who do not see recipients.
             * @example 8988303000000614227
             */
            iccid?: string | null;
            /**
             * Format: int64
             * @description The transaction of the first refund; omitted until there is one.
             * @example 5022
             */
            refund_transaction_id?: number;
            /**
             * @description The code that installs the profile. Present while the eSIM is delivered and not installed, for keys with the scope `codes`; null if it is unreadable.
             * @example LPA:1$smdp.supplier.example$9F1C-1A52-7D0E
             */
            activation_code?: string | null;
            failure_code?: components["schemas"]["FailureCode"];
            /**
             * @description Why the order failed, for the customer.
             * @example The recipient identifier is malformed or not recognised. Check it and order again.
             */
            failure_reason?: string;
            /**
             * @description Whether a corrected order can succeed.
             * @example true
             */
            is_user_fixable?: boolean;
        };
        /**
         * EsimOrderItem
         * @description An eSIM order in a list: without the activation code.
         * @example {
         *       "id": 11,
         *       "product_name": "Sandbox eSIM",
         *       "country_code": "GLO",
         *       "amount": 5,
         *       "currency": "USD",
         *       "status": "DELIVERED",
         *       "status_text": "The eSIM was delivered",
         *       "transaction_id": 26,
         *       "created_at": "2026-11-26T12:33:38.785Z",
         *       "data_amount_gb": 1,
         *       "validity_days": 7,
         *       "is_installed": true,
         *       "installed_at": "2026-11-26T12:33:38.893Z",
         *       "activation_status": "EXPIRED",
         *       "iccid": "8988456293723503320"
         *     }
         */
        EsimOrderItem: {
            /**
             * Format: int64
             * @description The order.
             * @example 17
             */
            id: number;
            /**
             * @description The name of the product.
             * @example United States eSIM
             */
            product_name: string;
            /**
             * @description The country of the product (ISO 3166-1 alpha-3, or `GLO`).
             * @example USA
             */
            country_code: string;
            /**
             * Format: double
             * @description The debited price, in the wallet's currency.
             * @example 10
             */
            amount: number;
            /**
             * @description The wallet's currency.
             * @example USD
             */
            currency: string;
            status: components["schemas"]["EsimOrderStatus"];
            /**
             * @description The state of the order, for people.
             * @example The eSIM was delivered
             */
            status_text: string;
            /**
             * Format: date-time
             * @description When the order was placed.
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: double
             * @description Data in GB; 0 is unlimited.
             * @example 5
             */
            data_amount_gb: number;
            /**
             * Format: int64
             * @description Days of validity, from first use.
             * @example 30
             */
            validity_days: number;
            /**
             * @description Whether a device has downloaded the profile.
             * @example false
             */
            is_installed: boolean;
            /**
             * @description Your name for the order; omitted if you gave none.
             * @example my-first-order
             */
            client_reference?: string;
            /**
             * Format: int64
             * @description The transaction that debited the wallet; omitted if nothing was debited.
             * @example 5021
             */
            transaction_id?: number;
            /** @description The unit that the order replaces; omitted if it replaces none. */
            replaces?: {
                /**
                 * Format: int64
                 * @description The order of the unit.
                 * @example 17
                 */
                order_id: number;
                /**
                 * Format: int64
                 * @description The unit of a voucher order, from 1; null for other families.
                 * @example 1
                 */
                unit: number | null;
            };
            /** @description The orders that replace units of this order; omitted if there are none. */
            replacements?: {
                /**
                 * Format: int64
                 * @description The unit of a voucher order, from 1; null for other families.
                 * @example 1
                 */
                unit: number | null;
                /**
                 * Format: int64
                 * @description The order that replaces it.
                 * @example 18
                 */
                order_id: number;
                /**
                 * Format: date-time
                 * @description When it was delivered; null until then.
                 * @example 2026-02-01T12:00:00.000Z
                 */
                replaced_at: string | null;
            }[];
            /**
             * Format: date-time
             * @description When a device downloaded the profile; omitted until then.
             * @example 2026-02-01T08:00:00.000Z
             */
            installed_at?: string;
            /**
             * Format: date-time
             * @description When it first used data; omitted until then.
             * @example 2026-02-01T08:05:00.000Z
             */
            activated_at?: string;
            activation_status?: components["schemas"]["ActivationStatus"];
            /**
             * @description The serial number of the SIM; omitted until the order is delivered, null if it is unreadable, and for members who do not see recipients.
             * @example 8988303000000614227
             */
            iccid?: string | null;
            failure_code?: components["schemas"]["FailureCode"];
            /**
             * @description Why the order failed, for the customer.
             * @example The recipient identifier is malformed or not recognised. Check it and order again.
             */
            failure_reason?: string;
            /**
             * @description Whether a corrected order can succeed.
             * @example true
             */
            is_user_fixable?: boolean;
        };
        /**
         * EsimOrderRequest
         * @example {
         *       "product_id": 5,
         *       "amount": 5,
         *       "client_reference": "my-first-esim"
         *     }
         */
        EsimOrderRequest: {
            /**
             * Format: int64
             * @description The product.
             * @example 3
             */
            product_id: number;
            /**
             * Format: double
             * @description Selects the variant: one of its fixed amounts, or an amount within its bounds.
             * @example 10
             */
            amount: number;
            /**
             * Format: int64
             * @description The wallet that pays. Default: the one in the currency of the variant, else your default wallet.
             * @example 1
             */
            wallet_id?: number | null;
            /**
             * @description Your name for the order, unique among all your orders. A second order request with it is rejected.
             * @example my-first-order
             */
            client_reference?: string | null;
            /**
             * @description The `card_number` of one of your redeemable vouchers, which pays instead of the wallet. The wallet pays only if the field is absent or null.
             * @example HC-7781-2203-9914
             */
            redeem_voucher_code?: string | null;
        };
        /**
         * EsimOrderStatus
         * @description The state of the order.
         * @example DELIVERED
         * @enum {string}
         */
        EsimOrderStatus: "PENDING" | "DELIVERED" | "FAILED" | "CANCELLED";
        /**
         * EsimProduct
         * @description An eSIM.
         * @example {
         *       "id": 5,
         *       "name": "Sandbox eSIM",
         *       "country_code": "GLO",
         *       "currency_code": "USD",
         *       "image_url": ""
         *     }
         */
        EsimProduct: {
            /**
             * Format: int64
             * @description The product.
             * @example 2
             */
            id: number;
            /**
             * @description Its name.
             * @example United States eSIM
             */
            name: string;
            /**
             * @description The country where it works (ISO 3166-1 alpha-3, or `GLO`).
             * @example USA
             */
            country_code: string;
            /**
             * @description The currency of its prices.
             * @example USD
             */
            currency_code: string;
            /**
             * @description A picture; may be empty.
             * @example https://images.digital-goods.example/esim/usa.png
             */
            image_url: string;
        };
        /**
         * EsimProductDetail
         * @description An eSIM with its data plans.
         * @example {
         *       "id": 5,
         *       "name": "Sandbox eSIM",
         *       "country_code": "GLO",
         *       "currency_code": "USD",
         *       "image_url": "",
         *       "variants": [
         *         {
         *           "id": 1,
         *           "esim_product_id": 5,
         *           "name": "1 GB - 7 days",
         *           "description": "Rehearsal: delivered at once.",
         *           "currency_code": "USD",
         *           "amount": 5,
         *           "data_amount_gb": 1,
         *           "validity_days": 7,
         *           "client_discount": 0
         *         },
         *         {
         *           "id": 2,
         *           "esim_product_id": 5,
         *           "name": "1 GB - 7 days",
         *           "description": "Rehearsal: delivered after 70 seconds.",
         *           "currency_code": "USD",
         *           "amount": 5.1,
         *           "data_amount_gb": 1,
         *           "validity_days": 7,
         *           "client_discount": 0
         *         },
         *         {
         *           "id": 3,
         *           "esim_product_id": 5,
         *           "name": "1 GB - 7 days",
         *           "description": "Rehearsal: refused at once.",
         *           "currency_code": "USD",
         *           "amount": 5.2,
         *           "data_amount_gb": 1,
         *           "validity_days": 7,
         *           "client_discount": 0
         *         },
         *         {
         *           "id": 4,
         *           "esim_product_id": 5,
         *           "name": "1 GB - 7 days",
         *           "description": "Rehearsal: refused after 65 seconds.",
         *           "currency_code": "USD",
         *           "amount": 5.3,
         *           "data_amount_gb": 1,
         *           "validity_days": 7,
         *           "client_discount": 0
         *         },
         *         {
         *           "id": 5,
         *           "esim_product_id": 5,
         *           "name": "1 GB - 7 days",
         *           "description": "Rehearsal: two errors, then delivered.",
         *           "currency_code": "USD",
         *           "amount": 5.4,
         *           "data_amount_gb": 1,
         *           "validity_days": 7,
         *           "client_discount": 0
         *         },
         *         {
         *           "id": 6,
         *           "esim_product_id": 5,
         *           "name": "1 GB - 7 days",
         *           "description": "Rehearsal: delivered, but the answer is lost.",
         *           "currency_code": "USD",
         *           "amount": 5.5,
         *           "data_amount_gb": 1,
         *           "validity_days": 7,
         *           "client_discount": 0
         *         }
         *       ]
         *     }
         */
        EsimProductDetail: {
            /**
             * Format: int64
             * @description The product.
             * @example 2
             */
            id: number;
            /**
             * @description Its name.
             * @example United States eSIM
             */
            name: string;
            /**
             * @description The country where it works (ISO 3166-1 alpha-3, or `GLO`).
             * @example USA
             */
            country_code: string;
            /**
             * @description The currency of its prices.
             * @example USD
             */
            currency_code: string;
            /**
             * @description A picture; may be empty.
             * @example https://images.digital-goods.example/esim/usa.png
             */
            image_url: string;
            /** @description Its data plans. */
            variants: components["schemas"]["EsimVariant"][];
        };
        /**
         * EsimRefundedData
         * @description The data of an event about an eSIM order.
         * @example {
         *       "id": 9,
         *       "amount": 5,
         *       "status": "DELIVERED",
         *       "currency": "USD",
         *       "country_code": "GLO",
         *       "product_name": "Sandbox eSIM",
         *       "validity_days": 7,
         *       "data_amount_gb": 1,
         *       "client_reference": "my-first-esim",
         *       "activation_status": "NOT_INSTALLED",
         *       "iccid": "8988316978340717820",
         *       "refund_id": 1,
         *       "refund_amount": 1,
         *       "reason_code": "GOODWILL"
         *     }
         */
        EsimRefundedData: {
            /**
             * Format: int64
             * @description The order.
             * @example 17
             */
            id: number;
            /**
             * @description The state of the order.
             * @example DELIVERED
             * @enum {string}
             */
            status: "DELIVERED";
            /**
             * @description The state of the profile.
             * @example NOT_INSTALLED
             * @enum {string|null}
             */
            activation_status: "NOT_INSTALLED" | "ACTIVE" | "EXPIRED" | null;
            /**
             * @description The name of the product.
             * @example United States eSIM
             */
            product_name: string;
            /**
             * @description The country of the product.
             * @example USA
             */
            country_code: string;
            /**
             * Format: double
             * @description Data in GB; 0 is unlimited.
             * @example 5
             */
            data_amount_gb: number;
            /**
             * Format: int64
             * @description Days of validity, from first use.
             * @example 30
             */
            validity_days: number;
            /**
             * Format: double
             * @description The debited amount, in the wallet's currency.
             * @example 12.5
             */
            amount: number;
            /**
             * @description The wallet's currency.
             * @example USD
             */
            currency: string;
            /**
             * @description The serial number of the SIM; null if there is none.
             * @example 8988303000000614227
             */
            iccid: string | null;
            /**
             * Format: int64
             * @description The number of the refund, from 1: its `id` in the list of refunds.
             * @example 1
             */
            refund_id: number;
            /**
             * Format: double
             * @description The refunded amount, in the wallet's currency.
             * @example 9.8
             */
            refund_amount: number;
            /**
             * @description Why the order was refunded.
             * @example GOODWILL
             * @enum {string}
             */
            reason_code: "GOODWILL" | "INVALID_GOODS" | "NOT_RECEIVED" | "WRONG_PRICE" | "DUPLICATE" | "OTHER";
            /**
             * @description Your name for the order; omitted if you gave none.
             * @example my-first-order
             */
            client_reference?: string;
        };
        /**
         * EsimRefundedEvent
         * @description An eSIM was refunded after its delivery.
         * @example {
         *       "id": "evt_94c3e7b2a05d4f18a6d1f92b58c07e36",
         *       "type": "esim.refunded",
         *       "created_at": "2026-11-26T06:18:38.655Z",
         *       "data": {
         *         "id": 9,
         *         "amount": 5,
         *         "status": "DELIVERED",
         *         "currency": "USD",
         *         "country_code": "GLO",
         *         "product_name": "Sandbox eSIM",
         *         "validity_days": 7,
         *         "data_amount_gb": 1,
         *         "client_reference": "my-first-esim",
         *         "activation_status": "NOT_INSTALLED",
         *         "iccid": "8988316978340717820",
         *         "refund_id": 1,
         *         "refund_amount": 1,
         *         "reason_code": "GOODWILL"
         *       }
         *     }
         */
        EsimRefundedEvent: {
            /**
             * @description The id of the event, the same in every attempt.
             * @example evt_0f3c9a5e1b7d4f62a8c0d9e7b6a51234
             */
            id: string;
            /**
             * @description The type of the event.
             * @example esim.refunded
             * @enum {string}
             */
            type: "esim.refunded";
            /**
             * Format: date-time
             * @description When the event occurred.
             * @example 2026-01-31T12:00:00.123Z
             */
            created_at: string;
            data: components["schemas"]["EsimRefundedData"];
        };
        /**
         * EsimUsage
         * @description The used data of an eSIM, as its supplier reports it.
         * @example {
         *       "data_total_mb": 1000,
         *       "data_used_mb": 600,
         *       "data_left_mb": 400,
         *       "validity_ends_at": "2026-12-03T12:33:38.477Z",
         *       "checked_at": "2026-11-26T12:33:38.523Z"
         *     }
         */
        EsimUsage: {
            /**
             * Format: double
             * @description Megabytes of the plan; null if the supplier does not report them.
             * @example 5000
             */
            data_total_mb: number | null;
            /**
             * Format: double
             * @description Used megabytes; null if the supplier does not report them.
             * @example 1250.5
             */
            data_used_mb: number | null;
            /**
             * Format: double
             * @description Megabytes that are left; null if the supplier does not report them.
             * @example 3749.5
             */
            data_left_mb: number | null;
            /**
             * Format: date-time
             * @description The end of the validity; null before the first use, or if the supplier does not report it.
             * @example 2026-03-02T08:05:00.000Z
             */
            validity_ends_at: string | null;
            /**
             * Format: date-time
             * @description When the supplier last reported it; null if it has not.
             * @example 2026-02-11T12:00:00.000Z
             */
            checked_at: string | null;
        };
        /**
         * EsimUsageData
         * @description The data of an event about an eSIM order.
         * @example {
         *       "id": 10,
         *       "amount": 5,
         *       "status": "DELIVERED",
         *       "currency": "USD",
         *       "country_code": "GLO",
         *       "product_name": "Sandbox eSIM",
         *       "validity_days": 7,
         *       "data_amount_gb": 1,
         *       "client_reference": "my-first-esim",
         *       "activation_status": "ACTIVE",
         *       "iccid": "8988591023040447349",
         *       "threshold_percent": 100,
         *       "data_total_mb": 1000,
         *       "data_used_mb": 1000,
         *       "data_left_mb": 0,
         *       "validity_ends_at": "2026-12-03T12:33:38.477Z"
         *     }
         */
        EsimUsageData: {
            /**
             * Format: int64
             * @description The order.
             * @example 17
             */
            id: number;
            /**
             * @description The state of the order.
             * @example DELIVERED
             * @enum {string}
             */
            status: "DELIVERED";
            /**
             * @description The state of the profile.
             * @example NOT_INSTALLED
             * @enum {string|null}
             */
            activation_status: "NOT_INSTALLED" | "ACTIVE" | "EXPIRED" | null;
            /**
             * @description The name of the product.
             * @example United States eSIM
             */
            product_name: string;
            /**
             * @description The country of the product.
             * @example USA
             */
            country_code: string;
            /**
             * Format: double
             * @description Data in GB; 0 is unlimited.
             * @example 5
             */
            data_amount_gb: number;
            /**
             * Format: int64
             * @description Days of validity, from first use.
             * @example 30
             */
            validity_days: number;
            /**
             * Format: double
             * @description The debited amount, in the wallet's currency.
             * @example 12.5
             */
            amount: number;
            /**
             * @description The wallet's currency.
             * @example USD
             */
            currency: string;
            /**
             * @description The serial number of the SIM; null if there is none.
             * @example 8988303000000614227
             */
            iccid: string | null;
            /**
             * Format: int64
             * @description The share of its data that the eSIM has used.
             * @example 80
             * @enum {integer}
             */
            threshold_percent: 50 | 80 | 100;
            /**
             * Format: double
             * @description Megabytes of the plan; null if the supplier does not report them.
             * @example 5000
             */
            data_total_mb: number | null;
            /**
             * Format: double
             * @description Used megabytes; null if the supplier does not report them.
             * @example 1250.5
             */
            data_used_mb: number | null;
            /**
             * Format: double
             * @description Megabytes that are left; null if the supplier does not report them.
             * @example 3749.5
             */
            data_left_mb: number | null;
            /**
             * Format: date-time
             * @description The end of the validity; null before the first use, or if the supplier does not report it.
             * @example 2026-03-02T08:05:00.000Z
             */
            validity_ends_at: string | null;
            /**
             * @description Your name for the order; omitted if you gave none.
             * @example my-first-order
             */
            client_reference?: string;
        };
        /**
         * EsimUsageEvent
         * @description The profile has used 50, 80 or 100 % of its data.
         * @example {
         *       "id": "evt_748d16a942cf41ce92f88d13d573474c",
         *       "type": "esim.usage",
         *       "created_at": "2026-11-26T12:33:38.678Z",
         *       "data": {
         *         "id": 10,
         *         "amount": 5,
         *         "status": "DELIVERED",
         *         "currency": "USD",
         *         "country_code": "GLO",
         *         "product_name": "Sandbox eSIM",
         *         "validity_days": 7,
         *         "data_amount_gb": 1,
         *         "client_reference": "my-first-esim",
         *         "activation_status": "ACTIVE",
         *         "iccid": "8988591023040447349",
         *         "threshold_percent": 100,
         *         "data_total_mb": 1000,
         *         "data_used_mb": 1000,
         *         "data_left_mb": 0,
         *         "validity_ends_at": "2026-12-03T12:33:38.477Z"
         *       }
         *     }
         */
        EsimUsageEvent: {
            /**
             * @description The id of the event, the same in every attempt.
             * @example evt_0f3c9a5e1b7d4f62a8c0d9e7b6a51234
             */
            id: string;
            /**
             * @description The type of the event.
             * @example esim.usage
             * @enum {string}
             */
            type: "esim.usage";
            /**
             * Format: date-time
             * @description When the event occurred.
             * @example 2026-01-31T12:00:00.123Z
             */
            created_at: string;
            data: components["schemas"]["EsimUsageData"];
        };
        /**
         * EsimVariant
         * @description A data plan.
         * @example {
         *       "id": 1,
         *       "esim_product_id": 5,
         *       "name": "1 GB - 7 days",
         *       "description": "Rehearsal: delivered at once.",
         *       "currency_code": "USD",
         *       "amount": 5,
         *       "data_amount_gb": 1,
         *       "validity_days": 7,
         *       "client_discount": 0
         *     }
         */
        EsimVariant: {
            /**
             * Format: int64
             * @description The variant.
             * @example 11
             */
            id: number;
            /**
             * Format: int64
             * @description Its product.
             * @example 2
             */
            esim_product_id: number;
            /**
             * @description Its name.
             * @example 5 GB, 30 days
             */
            name: string;
            /**
             * @description The currency of its price.
             * @example USD
             */
            currency_code: string;
            /**
             * Format: double
             * @description The list price: `amount` in charges and orders.
             * @example 12.5
             */
            amount: number;
            /**
             * Format: double
             * @description Data in GB; 0 is unlimited.
             * @example 5
             */
            data_amount_gb: number;
            /**
             * Format: int64
             * @description Days of validity, from first use.
             * @example 30
             */
            validity_days: number;
            /**
             * Format: double
             * @description Your discount in percent.
             * @example 0
             */
            client_discount: number;
            /**
             * @description A description; omitted if there is none.
             * @example Data only, hotspot allowed
             */
            description?: string;
        };
        /**
         * EsimVariantDetail
         * @description A data plan with the details of its supplier.
         * @example {
         *       "id": 1,
         *       "esim_product_id": 5,
         *       "name": "1 GB - 7 days",
         *       "description": "Rehearsal: delivered at once.",
         *       "currency_code": "USD",
         *       "amount": 5,
         *       "data_amount_gb": 1,
         *       "validity_days": 7,
         *       "client_discount": 0,
         *       "regions": [
         *         {
         *           "code": "USA",
         *           "name": "United States"
         *         },
         *         {
         *           "code": "JPN",
         *           "name": "Japan"
         *         },
         *         {
         *           "code": "DEU",
         *           "name": "Germany"
         *         },
         *         {
         *           "code": "ESP",
         *           "name": "Spain"
         *         },
         *         {
         *           "code": "FRA",
         *           "name": "France"
         *         },
         *         {
         *           "code": "ITA",
         *           "name": "Italy"
         *         }
         *       ],
         *       "networks": [
         *         "Liberty Mobile 5G",
         *         "Pacific Wireless LTE",
         *         "Sakura Mobile 5G",
         *         "Rhein Mobil 5G",
         *         "Iberia Movil LTE",
         *         "Reseau Bleu 5G",
         *         "Azzurra LTE"
         *       ],
         *       "is_rechargeable": true,
         *       "activation_policy": "first-usage"
         *     }
         */
        EsimVariantDetail: {
            /**
             * Format: int64
             * @description The variant.
             * @example 11
             */
            id: number;
            /**
             * Format: int64
             * @description Its product.
             * @example 2
             */
            esim_product_id: number;
            /**
             * @description Its name.
             * @example 5 GB, 30 days
             */
            name: string;
            /**
             * @description The currency of its price.
             * @example USD
             */
            currency_code: string;
            /**
             * Format: double
             * @description The list price: `amount` in charges and orders.
             * @example 12.5
             */
            amount: number;
            /**
             * Format: double
             * @description Data in GB; 0 is unlimited.
             * @example 5
             */
            data_amount_gb: number;
            /**
             * Format: int64
             * @description Days of validity, from first use.
             * @example 30
             */
            validity_days: number;
            /**
             * Format: double
             * @description Your discount in percent.
             * @example 0
             */
            client_discount: number;
            /** @description The regions where it works. */
            regions: {
                /**
                 * @description The code of the region.
                 * @example USA
                 */
                code: string;
                /**
                 * @description Its name.
                 * @example United States
                 */
                name: string;
            }[];
            /** @description The networks that it uses. */
            networks: string[];
            /**
             * @description Whether its supplier can recharge it.
             * @example false
             */
            is_rechargeable: boolean;
            /**
             * @description A description; omitted if there is none.
             * @example Data only, hotspot allowed
             */
            description?: string;
            /**
             * @description When its validity begins; omitted if unknown.
             * @example First use
             */
            activation_policy?: string;
        };
        /**
         * EventType
         * @description The type of an event.
         * @example order.delivered
         * @enum {string}
         */
        EventType: "order.delivered" | "order.partially_delivered" | "order.failed" | "order.cancelled" | "topup.delivered" | "topup.failed" | "topup.cancelled" | "esim.delivered" | "esim.failed" | "esim.cancelled" | "order.refunded" | "topup.refunded" | "esim.refunded" | "claim.updated" | "esim.installed" | "esim.activated" | "esim.depleted" | "esim.usage" | "wallet.credited" | "wallet.debited" | "wallet.low_balance" | "webhook.test";
        /**
         * FailureCode
         * @description Why the order failed, for programs.
         * @example INVALID_RECIPIENT
         * @enum {string}
         */
        FailureCode: "INVALID_RECIPIENT" | "RECIPIENT_BARRED" | "RECIPIENT_INELIGIBLE" | "RECIPIENT_LIMIT_EXCEEDED" | "OPERATOR_UNAVAILABLE" | "OPERATOR_LIMIT_EXCEEDED" | "CLIENT_LIMIT_EXCEEDED" | "PRODUCT_UNAVAILABLE" | "PRODUCT_OUT_OF_STOCK" | "AMOUNT_OUT_OF_RANGE" | "UNKNOWN";
        /**
         * InputField
         * @description One field that the customer fills in.
         * @example {
         *       "help_text": "With country code, without spaces.",
         *       "field_name": "phone_number",
         *       "field_type": "phone",
         *       "field_label": "Phone number",
         *       "is_required": true,
         *       "placeholder": "12025550100"
         *     }
         */
        InputField: {
            /**
             * @description The key in `input_data`.
             * @example phone_number
             */
            field_name: string;
            /**
             * @description Its label.
             * @example Phone number
             */
            field_label: string;
            /**
             * @description `text` is free text, `number` must be numeric, `phone` becomes E.164, `select` is one of the options.
             * @example phone
             * @enum {string}
             */
            field_type: "text" | "number" | "phone" | "select";
            /**
             * @description Whether it must be present and not empty.
             * @example true
             */
            is_required: boolean;
            /**
             * @description A pattern that the value must match.
             * @example ^[0-9]{9,15}$
             */
            validation_regex?: string;
            /**
             * @description An example to show.
             * @example 12025550100
             */
            placeholder?: string;
            /**
             * @description A hint for the customer.
             * @example With country code, without spaces.
             */
            help_text?: string;
            /** @description The options of a `select`. */
            options?: {
                /**
                 * @description The value to send.
                 * @example eu
                 */
                value: string;
                /**
                 * @description The label to show.
                 * @example Europe
                 */
                label: string;
            }[];
        };
        /**
         * LoginRequest
         * @example {
         *       "username": "your-api-key",
         *       "password": "your-api-secret"
         *     }
         */
        LoginRequest: {
            /**
             * @description Your API key.
             * @example dgk_live_2f6d9a4e
             */
            username: string;
            /**
             * @description The secret of the key.
             * @example dgs_3b1f...
             */
            password: string;
        };
        /**
         * LowBalanceThreshold
         * @example {
         *       "low_balance_threshold": 50
         *     }
         */
        LowBalanceThreshold: {
            /**
             * Format: double
             * @description A debit that leaves less than this sends `wallet.low_balance`; null clears it.
             * @example 50
             */
            low_balance_threshold: number | null;
        };
        /**
         * Member
         * @description A person of yours who uses the console.
         * @example {
         *       "id": 1,
         *       "email": "ann@shop.example",
         *       "name": "Ann Miller",
         *       "role": "support",
         *       "state": "INVITED"
         *     }
         */
        Member: {
            /**
             * Format: int64
             * @description The member.
             * @example 3
             */
            id: number;
            /**
             * @description The address at which the member signs in.
             * @example ann@shop.example
             */
            email: string;
            /**
             * @description The name of the member.
             * @example Ann Miller
             */
            name: string;
            role: components["schemas"]["MemberRole"];
            /**
             * @description `INVITED`: has not signed in yet. `SUSPENDED`: cannot sign in.
             * @example ACTIVE
             * @enum {string}
             */
            state: "INVITED" | "ACTIVE" | "SUSPENDED";
        };
        /**
         * MemberChange
         * @example {
         *       "role": "finance"
         *     }
         */
        MemberChange: {
            /**
             * @description The name of the member.
             * @example Ann Miller
             */
            name?: string;
            role?: components["schemas"]["MemberRole"];
            /**
             * @description `SUSPENDED` ends the access of the member at once.
             * @enum {string}
             */
            state?: "ACTIVE" | "SUSPENDED";
        };
        /**
         * MemberRequest
         * @example {
         *       "email": "ann@shop.example",
         *       "name": "Ann Miller",
         *       "role": "support"
         *     }
         */
        MemberRequest: {
            /**
             * Format: email
             * @description The address to which the invitation goes.
             * @example ann@shop.example
             */
            email: string;
            /**
             * @description The name of the member.
             * @example Ann Miller
             */
            name: string;
            role: components["schemas"]["MemberRole"];
        };
        /**
         * MemberRole
         * @description What a member may do in the console. `admin`: everything, and keys, allowed networks, members, webhooks and the activity; `finance`: reads without codes and recipients, and works with wallets, statements and reports; `support`: places orders, and sees recipients and codes; `viewer`: reads without codes and recipients.
         * @example admin
         * @enum {string}
         */
        MemberRole: "admin" | "finance" | "support" | "viewer";
        /**
         * MobileLookup
         * @description The products that recharge a mobile number.
         * @example {
         *       "number": "+12025550100",
         *       "country_code": "USA",
         *       "operator_name": "Liberty Mobile",
         *       "products": [
         *         1
         *       ]
         *     }
         */
        MobileLookup: {
            /**
             * @description The number (E.164).
             * @example +12025550100
             */
            number: string;
            /**
             * @description Its country (ISO 3166-1 alpha-3).
             * @example USA
             */
            country_code: string;
            /**
             * @description Its operator; null if unknown.
             * @example Liberty Mobile
             */
            operator_name: string | null;
            /** @description Products that recharge it. */
            products: number[];
        };
        /**
         * NotificationEmail
         * @example {
         *       "email": "buyer@client.example"
         *     }
         */
        NotificationEmail: {
            /**
             * Format: email
             * @description An address that gets one email when the order ends.
             * @example buyer@client.example
             */
            email: string;
        };
        /**
         * OrderCancelledData
         * @description The data of an event about a voucher order.
         * @example {
         *       "id": 3,
         *       "amount": 60,
         *       "status": "CANCELLED",
         *       "quantity": 6,
         *       "created_at": "2026-11-26T12:33:30.025Z",
         *       "delivered_on": null,
         *       "denomination": 10,
         *       "product_name": "Sandbox Slow Gift Card",
         *       "delivered_quantity": 0,
         *       "fulfilled_quantity": 0
         *     }
         */
        OrderCancelledData: {
            /**
             * Format: int64
             * @description The order.
             * @example 17
             */
            id: number;
            /**
             * @description The state of the order.
             * @example CANCELLED
             * @enum {string}
             */
            status: "CANCELLED";
            /**
             * @description The name of the product.
             * @example Harbour Coffee Gift Card
             */
            product_name: string;
            /**
             * Format: double
             * @description Face value of one voucher.
             * @example 10
             */
            denomination: number;
            /**
             * Format: int64
             * @description The number of vouchers.
             * @example 1
             */
            quantity: number;
            /**
             * Format: double
             * @description Face value times quantity, in the product's currency.
             * @example 10
             */
            amount: number;
            /**
             * Format: int64
             * @description The number of delivered vouchers; 0 if it failed or was cancelled.
             * @example 0
             */
            delivered_quantity: number;
            /**
             * Format: int64
             * @description The number of vouchers whose codes the client can read, even if the order failed. `delivered_quantity` is then 0.
             * @example 0
             */
            fulfilled_quantity: number;
            /**
             * Format: date-time
             * @description Always null for failed and cancelled orders.
             * @example null
             */
            delivered_on: string | null;
            /**
             * Format: date-time
             * @description When the order was placed.
             * @example 2026-01-31T11:59:59.900Z
             */
            created_at: string;
            /**
             * @description Your name for the order; omitted if you gave none.
             * @example my-first-order
             */
            client_reference?: string;
        };
        /**
         * OrderCancelledEvent
         * @description A voucher order was cancelled.
         * @example {
         *       "id": "evt_d9fd6447546c4bcdafa35b6821997b18",
         *       "type": "order.cancelled",
         *       "created_at": "2026-11-26T12:33:30.486Z",
         *       "data": {
         *         "id": 3,
         *         "amount": 60,
         *         "status": "CANCELLED",
         *         "quantity": 6,
         *         "created_at": "2026-11-26T12:33:30.025Z",
         *         "delivered_on": null,
         *         "denomination": 10,
         *         "product_name": "Sandbox Slow Gift Card",
         *         "delivered_quantity": 0,
         *         "fulfilled_quantity": 0
         *       }
         *     }
         */
        OrderCancelledEvent: {
            /**
             * @description The id of the event, the same in every attempt.
             * @example evt_0f3c9a5e1b7d4f62a8c0d9e7b6a51234
             */
            id: string;
            /**
             * @description The type of the event.
             * @example order.cancelled
             * @enum {string}
             */
            type: "order.cancelled";
            /**
             * Format: date-time
             * @description When the event occurred.
             * @example 2026-01-31T12:00:00.123Z
             */
            created_at: string;
            data: components["schemas"]["OrderCancelledData"];
        };
        /**
         * OrderDeliveredData
         * @description The data of an event about a voucher order.
         * @example {
         *       "id": 5,
         *       "amount": 100,
         *       "status": "DELIVERED",
         *       "quantity": 10,
         *       "created_at": "2026-11-26T12:33:31.111Z",
         *       "delivered_on": "2026-11-26T12:33:36.473Z",
         *       "denomination": 10,
         *       "product_name": "Sandbox Partial Gift Card",
         *       "delivered_quantity": 10,
         *       "fulfilled_quantity": 10
         *     }
         */
        OrderDeliveredData: {
            /**
             * Format: int64
             * @description The order.
             * @example 17
             */
            id: number;
            /**
             * @description The state of the order.
             * @example DELIVERED
             * @enum {string}
             */
            status: "DELIVERED";
            /**
             * @description The name of the product.
             * @example Harbour Coffee Gift Card
             */
            product_name: string;
            /**
             * Format: double
             * @description Face value of one voucher.
             * @example 10
             */
            denomination: number;
            /**
             * Format: int64
             * @description The number of vouchers.
             * @example 1
             */
            quantity: number;
            /**
             * Format: double
             * @description Face value times quantity, in the product's currency.
             * @example 10
             */
            amount: number;
            /**
             * Format: int64
             * @description The number of delivered vouchers; 0 if it failed or was cancelled.
             * @example 1
             */
            delivered_quantity: number;
            /**
             * Format: int64
             * @description The number of vouchers whose codes the client can read, even if the order failed. `delivered_quantity` is then 0.
             * @example 1
             */
            fulfilled_quantity: number;
            /**
             * Format: date-time
             * @description When it was delivered; null if it failed or was cancelled.
             * @example 2026-01-31T12:00:00.000Z
             */
            delivered_on: string;
            /**
             * Format: date-time
             * @description When the order was placed.
             * @example 2026-01-31T11:59:59.900Z
             */
            created_at: string;
            /**
             * @description Your name for the order; omitted if you gave none.
             * @example my-first-order
             */
            client_reference?: string;
        };
        /**
         * OrderDeliveredEvent
         * @description All vouchers of an order are delivered.
         * @example {
         *       "id": "evt_033896f6cee84124b65548c9016e3507",
         *       "type": "order.delivered",
         *       "created_at": "2026-11-26T12:33:36.473Z",
         *       "data": {
         *         "id": 5,
         *         "amount": 100,
         *         "status": "DELIVERED",
         *         "quantity": 10,
         *         "created_at": "2026-11-26T12:33:31.111Z",
         *         "delivered_on": "2026-11-26T12:33:36.473Z",
         *         "denomination": 10,
         *         "product_name": "Sandbox Partial Gift Card",
         *         "delivered_quantity": 10,
         *         "fulfilled_quantity": 10
         *       }
         *     }
         */
        OrderDeliveredEvent: {
            /**
             * @description The id of the event, the same in every attempt.
             * @example evt_0f3c9a5e1b7d4f62a8c0d9e7b6a51234
             */
            id: string;
            /**
             * @description The type of the event.
             * @example order.delivered
             * @enum {string}
             */
            type: "order.delivered";
            /**
             * Format: date-time
             * @description When the event occurred.
             * @example 2026-01-31T12:00:00.123Z
             */
            created_at: string;
            data: components["schemas"]["OrderDeliveredData"];
        };
        /**
         * OrderFailedData
         * @description The data of an event about a voucher order.
         * @example {
         *       "id": 6,
         *       "amount": 10,
         *       "status": "FAILED",
         *       "quantity": 1,
         *       "created_at": "2026-11-26T12:33:31.421Z",
         *       "delivered_on": null,
         *       "denomination": 10,
         *       "product_name": "Sandbox Out Of Stock Gift Card",
         *       "delivered_quantity": 0,
         *       "fulfilled_quantity": 0
         *     }
         */
        OrderFailedData: {
            /**
             * Format: int64
             * @description The order.
             * @example 17
             */
            id: number;
            /**
             * @description The state of the order.
             * @example FAILED
             * @enum {string}
             */
            status: "FAILED";
            /**
             * @description The name of the product.
             * @example Harbour Coffee Gift Card
             */
            product_name: string;
            /**
             * Format: double
             * @description Face value of one voucher.
             * @example 10
             */
            denomination: number;
            /**
             * Format: int64
             * @description The number of vouchers.
             * @example 1
             */
            quantity: number;
            /**
             * Format: double
             * @description Face value times quantity, in the product's currency.
             * @example 10
             */
            amount: number;
            /**
             * Format: int64
             * @description The number of delivered vouchers; 0 if it failed or was cancelled.
             * @example 0
             */
            delivered_quantity: number;
            /**
             * Format: int64
             * @description The number of vouchers whose codes the client can read, even if the order failed. `delivered_quantity` is then 0.
             * @example 0
             */
            fulfilled_quantity: number;
            /**
             * Format: date-time
             * @description Always null for failed and cancelled orders.
             * @example null
             */
            delivered_on: string | null;
            /**
             * Format: date-time
             * @description When the order was placed.
             * @example 2026-01-31T11:59:59.900Z
             */
            created_at: string;
            /**
             * @description Your name for the order; omitted if you gave none.
             * @example my-first-order
             */
            client_reference?: string;
        };
        /**
         * OrderFailedEvent
         * @description A voucher order could not be fulfilled.
         * @example {
         *       "id": "evt_0e98a710db984384a5173a232221e8b4",
         *       "type": "order.failed",
         *       "created_at": "2026-11-26T12:33:31.543Z",
         *       "data": {
         *         "id": 6,
         *         "amount": 10,
         *         "status": "FAILED",
         *         "quantity": 1,
         *         "created_at": "2026-11-26T12:33:31.421Z",
         *         "delivered_on": null,
         *         "denomination": 10,
         *         "product_name": "Sandbox Out Of Stock Gift Card",
         *         "delivered_quantity": 0,
         *         "fulfilled_quantity": 0
         *       }
         *     }
         */
        OrderFailedEvent: {
            /**
             * @description The id of the event, the same in every attempt.
             * @example evt_0f3c9a5e1b7d4f62a8c0d9e7b6a51234
             */
            id: string;
            /**
             * @description The type of the event.
             * @example order.failed
             * @enum {string}
             */
            type: "order.failed";
            /**
             * Format: date-time
             * @description When the event occurred.
             * @example 2026-01-31T12:00:00.123Z
             */
            created_at: string;
            data: components["schemas"]["OrderFailedData"];
        };
        /**
         * OrderPartiallyDeliveredData
         * @description The data of an event about a voucher order.
         * @example {
         *       "id": 5,
         *       "amount": 100,
         *       "status": "PARTIALLY_DELIVERED",
         *       "quantity": 10,
         *       "created_at": "2026-11-26T12:33:31.111Z",
         *       "delivered_on": "2026-11-26T12:33:31.482Z",
         *       "denomination": 10,
         *       "product_name": "Sandbox Partial Gift Card",
         *       "delivered_quantity": 4,
         *       "fulfilled_quantity": 4
         *     }
         */
        OrderPartiallyDeliveredData: {
            /**
             * Format: int64
             * @description The order.
             * @example 17
             */
            id: number;
            /**
             * @description The state of the order.
             * @example PARTIALLY_DELIVERED
             * @enum {string}
             */
            status: "PARTIALLY_DELIVERED";
            /**
             * @description The name of the product.
             * @example Harbour Coffee Gift Card
             */
            product_name: string;
            /**
             * Format: double
             * @description Face value of one voucher.
             * @example 10
             */
            denomination: number;
            /**
             * Format: int64
             * @description The number of vouchers.
             * @example 1
             */
            quantity: number;
            /**
             * Format: double
             * @description Face value times quantity, in the product's currency.
             * @example 10
             */
            amount: number;
            /**
             * Format: int64
             * @description The number of delivered vouchers; 0 if it failed or was cancelled.
             * @example 1
             */
            delivered_quantity: number;
            /**
             * Format: int64
             * @description The number of vouchers whose codes the client can read, even if the order failed. `delivered_quantity` is then 0.
             * @example 1
             */
            fulfilled_quantity: number;
            /**
             * Format: date-time
             * @description When it was delivered; null if it failed or was cancelled.
             * @example 2026-01-31T12:00:00.000Z
             */
            delivered_on: string;
            /**
             * Format: date-time
             * @description When the order was placed.
             * @example 2026-01-31T11:59:59.900Z
             */
            created_at: string;
            /**
             * @description Your name for the order; omitted if you gave none.
             * @example my-first-order
             */
            client_reference?: string;
        };
        /**
         * OrderPartiallyDeliveredEvent
         * @description Some vouchers of an order are delivered, others are open.
         * @example {
         *       "id": "evt_9035e0b275ab41bd9f51fd9157489f9b",
         *       "type": "order.partially_delivered",
         *       "created_at": "2026-11-26T12:33:31.482Z",
         *       "data": {
         *         "id": 5,
         *         "amount": 100,
         *         "status": "PARTIALLY_DELIVERED",
         *         "quantity": 10,
         *         "created_at": "2026-11-26T12:33:31.111Z",
         *         "delivered_on": "2026-11-26T12:33:31.482Z",
         *         "denomination": 10,
         *         "product_name": "Sandbox Partial Gift Card",
         *         "delivered_quantity": 4,
         *         "fulfilled_quantity": 4
         *       }
         *     }
         */
        OrderPartiallyDeliveredEvent: {
            /**
             * @description The id of the event, the same in every attempt.
             * @example evt_0f3c9a5e1b7d4f62a8c0d9e7b6a51234
             */
            id: string;
            /**
             * @description The type of the event.
             * @example order.partially_delivered
             * @enum {string}
             */
            type: "order.partially_delivered";
            /**
             * Format: date-time
             * @description When the event occurred.
             * @example 2026-01-31T12:00:00.123Z
             */
            created_at: string;
            data: components["schemas"]["OrderPartiallyDeliveredData"];
        };
        /**
         * OrderRefund
         * @description A credited refund of an order.
         * @example {
         *       "id": 1,
         *       "amount": 1,
         *       "currency": "USD",
         *       "units": null,
         *       "reason_code": "GOODWILL",
         *       "transaction_id": 13,
         *       "created_at": "2026-11-26T06:18:30.912Z"
         *     }
         */
        OrderRefund: {
            /**
             * Format: int64
             * @description The number of the refund, from 1; 0 for the automatic refund of undelivered units.
             * @example 1
             */
            id: number;
            /**
             * Format: double
             * @description The refunded amount, in the wallet's currency.
             * @example 9.8
             */
            amount: number;
            /**
             * @description The wallet's currency.
             * @example USD
             */
            currency: string;
            /**
             * Format: int64
             * @description The number of refunded units; null for an amount.
             * @example 1
             */
            units: number | null;
            /**
             * @description Why the order was refunded. `NOT_DELIVERED` is the automatic refund.
             * @example GOODWILL
             * @enum {string}
             */
            reason_code: "GOODWILL" | "INVALID_GOODS" | "NOT_RECEIVED" | "WRONG_PRICE" | "DUPLICATE" | "OTHER" | "NOT_DELIVERED";
            /**
             * Format: int64
             * @description The transaction that credited the wallet.
             * @example 5022
             */
            transaction_id: number;
            /**
             * Format: date-time
             * @description When the refund was credited.
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
        };
        /**
         * OrderRefundedData
         * @description The data of an event about a voucher order.
         * @example {
         *       "id": 1,
         *       "amount": 10,
         *       "status": "DELIVERED",
         *       "quantity": 1,
         *       "created_at": "2026-11-26T06:18:30.339Z",
         *       "delivered_on": "2026-11-26T06:18:30.401Z",
         *       "denomination": 10,
         *       "product_name": "Harbour Coffee Gift Card",
         *       "client_reference": "my-first-order",
         *       "delivered_quantity": 1,
         *       "fulfilled_quantity": 1,
         *       "refund_id": 1,
         *       "refund_amount": 1,
         *       "reason_code": "GOODWILL"
         *     }
         */
        OrderRefundedData: {
            /**
             * Format: int64
             * @description The order.
             * @example 17
             */
            id: number;
            /**
             * @description The state of the order. A refund does not change it.
             * @example DELIVERED
             * @enum {string}
             */
            status: "DELIVERED" | "FAILED";
            /**
             * @description The name of the product.
             * @example Harbour Coffee Gift Card
             */
            product_name: string;
            /**
             * Format: double
             * @description Face value of one voucher.
             * @example 10
             */
            denomination: number;
            /**
             * Format: int64
             * @description The number of vouchers.
             * @example 1
             */
            quantity: number;
            /**
             * Format: double
             * @description Face value times quantity, in the product's currency.
             * @example 10
             */
            amount: number;
            /**
             * Format: int64
             * @description The number of delivered vouchers; 0 if it failed or was cancelled.
             * @example 1
             */
            delivered_quantity: number;
            /**
             * Format: int64
             * @description The number of vouchers whose codes the client can read, even if the order failed. `delivered_quantity` is then 0.
             * @example 1
             */
            fulfilled_quantity: number;
            /**
             * Format: date-time
             * @description When it was delivered; null if the order failed.
             * @example 2026-01-31T12:00:00.000Z
             */
            delivered_on: string | null;
            /**
             * Format: date-time
             * @description When the order was placed.
             * @example 2026-01-31T11:59:59.900Z
             */
            created_at: string;
            /**
             * Format: int64
             * @description The number of the refund, from 1: its `id` in the list of refunds.
             * @example 1
             */
            refund_id: number;
            /**
             * Format: double
             * @description The refunded amount, in the wallet's currency.
             * @example 9.8
             */
            refund_amount: number;
            /**
             * @description Why the order was refunded.
             * @example GOODWILL
             * @enum {string}
             */
            reason_code: "GOODWILL" | "INVALID_GOODS" | "NOT_RECEIVED" | "WRONG_PRICE" | "DUPLICATE" | "OTHER";
            /**
             * @description Your name for the order; omitted if you gave none.
             * @example my-first-order
             */
            client_reference?: string;
        };
        /**
         * OrderRefundedEvent
         * @description A voucher order was refunded after its delivery.
         * @example {
         *       "id": "evt_7b1d4c0e92f84a67b3e5d8a1c64f2093",
         *       "type": "order.refunded",
         *       "created_at": "2026-11-26T06:18:30.912Z",
         *       "data": {
         *         "id": 1,
         *         "amount": 10,
         *         "status": "DELIVERED",
         *         "quantity": 1,
         *         "created_at": "2026-11-26T06:18:30.339Z",
         *         "delivered_on": "2026-11-26T06:18:30.401Z",
         *         "denomination": 10,
         *         "product_name": "Harbour Coffee Gift Card",
         *         "client_reference": "my-first-order",
         *         "delivered_quantity": 1,
         *         "fulfilled_quantity": 1,
         *         "refund_id": 1,
         *         "refund_amount": 1,
         *         "reason_code": "GOODWILL"
         *       }
         *     }
         */
        OrderRefundedEvent: {
            /**
             * @description The id of the event, the same in every attempt.
             * @example evt_0f3c9a5e1b7d4f62a8c0d9e7b6a51234
             */
            id: string;
            /**
             * @description The type of the event.
             * @example order.refunded
             * @enum {string}
             */
            type: "order.refunded";
            /**
             * Format: date-time
             * @description When the event occurred.
             * @example 2026-01-31T12:00:00.123Z
             */
            created_at: string;
            data: components["schemas"]["OrderRefundedData"];
        };
        /**
         * RecipientErasure
         * @description The result of an erasure.
         * @example {
         *       "erased": 0,
         *       "pending": 0
         *     }
         */
        RecipientErasure: {
            /**
             * Format: int64
             * @description Orders whose recipient is erased now.
             * @example 3
             */
            erased: number;
            /**
             * Format: int64
             * @description Orders that are erased when they have ended and their email is sent.
             * @example 0
             */
            pending: number;
        };
        /**
         * RecipientErasureRequest
         * @example {
         *       "phone_number": "+12025550199"
         *     }
         */
        RecipientErasureRequest: {
            /**
             * Format: email
             * @description The notification email of the orders. Give this or `phone_number`.
             * @example buyer@client.example
             */
            email?: string | null;
            /**
             * @description The phone number of the top-ups. Give this or `email`.
             * @example +12025550100
             */
            phone_number?: string | null;
        };
        /**
         * RefreshRequest
         * @example {
         *       "refresh_token": "eyJhbGciOiJIUzI1NiJ9..."
         *     }
         */
        RefreshRequest: {
            /**
             * @description The refresh token of a login or refresh. It works once.
             * @example eyJhbGciOiJIUzI1NiJ9...
             */
            refresh_token: string;
        };
        /**
         * ReplayRequest
         * @example {
         *       "since": "2026-11-26T12:33:27.791Z"
         *     }
         */
        ReplayRequest: {
            /**
             * Format: date-time
             * @description Every event from this moment on: an RFC 3339 date and time with its offset.
             * @example 2026-01-31T00:00:00Z
             */
            since: string;
        };
        /**
         * SandboxEsimUse
         * @example {
         *       "megabytes": 600
         *     }
         */
        SandboxEsimUse: {
            /**
             * Format: int64
             * @description The megabytes to use. If omitted, the call simulates only the first use, which cannot be repeated.
             * @example 250
             */
            megabytes?: number | null;
        };
        /**
         * SandboxFunds
         * @example {
         *       "amount": 100
         *     }
         */
        SandboxFunds: {
            /**
             * Format: double
             * @description The credited amount, with the decimals of the wallet's currency.
             * @example 100
             */
            amount: number;
        };
        /**
         * SandboxScenario
         * @description An order request, and the statuses that its order reaches.
         * @example {
         *       "name": "voucher_instant",
         *       "method": "POST",
         *       "path": "/api/v1/orders",
         *       "initial_status": "DELIVERED",
         *       "final_status": "DELIVERED",
         *       "body": {
         *         "product_id": 1,
         *         "denomination": 10,
         *         "quantity": 1
         *       }
         *     }
         */
        SandboxScenario: {
            /**
             * @description Its name.
             * @example voucher_instant
             */
            name: string;
            /**
             * @description The HTTP method.
             * @example POST
             * @enum {string}
             */
            method: "POST";
            /**
             * @description The path.
             * @example /api/v1/orders
             */
            path: string;
            /**
             * @description The body of the request.
             * @example {
             *       "product_id": 1,
             *       "denomination": 10,
             *       "quantity": 1
             *     }
             */
            body: Record<string, unknown>;
            /**
             * @description The state in the response to the order request.
             * @example DELIVERED
             * @enum {string}
             */
            initial_status: "PENDING" | "PARTIALLY_DELIVERED" | "DELIVERED" | "FAILED" | "CANCELLED";
            /**
             * @description The final state of the order.
             * @example DELIVERED
             * @enum {string}
             */
            final_status: "PENDING" | "PARTIALLY_DELIVERED" | "DELIVERED" | "FAILED" | "CANCELLED";
            /** @description Headers to send with the request, for a fault. Also send a `client_reference` or an `Idempotency-Key`. The statuses are those of the repetition. */
            headers?: {
                /**
                 * @description The failure of the first request.
                 * @example 504-placed
                 * @enum {string}
                 */
                "Sandbox-Fault": "429" | "503" | "504-placed" | "504-not-placed" | "timeout" | "reset";
            };
            failure_code?: components["schemas"]["FailureCode"];
        };
        /**
         * Scope
         * @description What a key may do. `read`: every GET that needs no other scope, and the charges; `codes`: codes, PINs and claim URLs of vouchers, and activation codes of eSIMs, in every response; `orders:vouchers`: voucher orders, their notification email and claims; `orders:topups`: top-up orders, their notification email and claims; `orders:esims`: eSIM orders, their notification email and claims; `wallets`: changes of wallets; `webhooks`: everything below `/webhooks`, secrets included; `admin`: keys, allowed networks, members, the activity of the account and the erasure of recipients.
         * @example read
         * @enum {string}
         */
        Scope: "read" | "codes" | "orders:vouchers" | "orders:topups" | "orders:esims" | "wallets" | "webhooks" | "admin";
        /**
         * Session
         * @description The tokens of a new or refreshed session.
         * @example {
         *       "success": true,
         *       "data": {
         *         "access_token": "eyJhbGciOiJIUzI1NiJ9...",
         *         "refresh_token": "eyJhbGciOiJIUzI1NiJ9...",
         *         "access_expires_at": "2026-11-26T13:33:27.000Z",
         *         "refresh_expires_at": "2026-12-03T12:33:27.000Z",
         *         "client_id": 1
         *       }
         *     }
         */
        Session: {
            /**
             * @description Always true.
             * @example true
             */
            success: boolean;
            data: components["schemas"]["TokenPair"];
        };
        /**
         * Subcategory
         * @description A subcategory of vouchers.
         * @example {
         *       "id": 7,
         *       "name": "Accessories"
         *     }
         */
        Subcategory: {
            /**
             * Format: int64
             * @description The subcategory.
             * @example 9
             */
            id: number;
            /**
             * @description Its name.
             * @example Coffee
             */
            name: string;
        };
        /**
         * TokenPair
         * @description The tokens of a session.
         * @example {
         *       "access_token": "eyJhbGciOiJIUzI1NiJ9...",
         *       "refresh_token": "eyJhbGciOiJIUzI1NiJ9...",
         *       "access_expires_at": "2026-11-26T13:33:27.000Z",
         *       "refresh_expires_at": "2026-12-03T12:33:27.000Z",
         *       "client_id": 1
         *     }
         */
        TokenPair: {
            /**
             * @description The bearer token of every other call. Valid for an hour (JWT).
             * @example eyJhbGciOiJIUzI1NiJ9...
             */
            access_token: string;
            /**
             * @description Exchange it for the next pair, once. Valid for 7 days (JWT).
             * @example eyJhbGciOiJIUzI1NiJ9...
             */
            refresh_token: string;
            /**
             * Format: date-time
             * @description When the access token expires.
             * @example 2026-01-31T13:00:00.000Z
             */
            access_expires_at: string;
            /**
             * Format: date-time
             * @description When the refresh token expires.
             * @example 2026-02-07T12:00:00.000Z
             */
            refresh_expires_at: string;
            /**
             * Format: int64
             * @description Your id.
             * @example 1
             */
            client_id: number;
        };
        /**
         * TopupCancelledData
         * @description The data of an event about a top-up order.
         * @example {
         *       "id": 8,
         *       "amount": 10,
         *       "status": "CANCELLED",
         *       "currency": "USD",
         *       "created_at": "2026-11-26T12:33:32.822Z",
         *       "completed_at": "2026-11-26T12:33:36.991Z",
         *       "country_code": "USA",
         *       "failure_code": null,
         *       "product_name": "Liberty Mobile",
         *       "variant_name": "Liberty Airtime"
         *     }
         */
        TopupCancelledData: {
            /**
             * Format: int64
             * @description The order.
             * @example 17
             */
            id: number;
            /**
             * @description The state of the order.
             * @example CANCELLED
             * @enum {string}
             */
            status: "CANCELLED";
            /**
             * @description The name of the product.
             * @example Liberty Mobile
             */
            product_name: string;
            /**
             * @description The ordered variant.
             * @example Liberty Airtime
             */
            variant_name: string;
            /**
             * @description The country of the product.
             * @example USA
             */
            country_code: string;
            /**
             * Format: double
             * @description The debited amount, in the wallet's currency.
             * @example 10
             */
            amount: number;
            /**
             * @description The wallet's currency.
             * @example USD
             */
            currency: string;
            /**
             * @description Always null: it did not fail.
             * @example null
             */
            failure_code: string | null;
            /**
             * Format: date-time
             * @description When the order was placed.
             * @example 2026-01-31T11:59:59.900Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the order ended.
             * @example 2026-01-31T12:00:00.000Z
             */
            completed_at: string;
            /**
             * @description Your name for the order; omitted if you gave none.
             * @example my-first-order
             */
            client_reference?: string;
        };
        /**
         * TopupCancelledEvent
         * @description A top-up order was cancelled.
         * @example {
         *       "id": "evt_708a047320c84727b948948bbf24f0fe",
         *       "type": "topup.cancelled",
         *       "created_at": "2026-11-26T12:33:36.991Z",
         *       "data": {
         *         "id": 8,
         *         "amount": 10,
         *         "status": "CANCELLED",
         *         "currency": "USD",
         *         "created_at": "2026-11-26T12:33:32.822Z",
         *         "completed_at": "2026-11-26T12:33:36.991Z",
         *         "country_code": "USA",
         *         "failure_code": null,
         *         "product_name": "Liberty Mobile",
         *         "variant_name": "Liberty Airtime"
         *       }
         *     }
         */
        TopupCancelledEvent: {
            /**
             * @description The id of the event, the same in every attempt.
             * @example evt_0f3c9a5e1b7d4f62a8c0d9e7b6a51234
             */
            id: string;
            /**
             * @description The type of the event.
             * @example topup.cancelled
             * @enum {string}
             */
            type: "topup.cancelled";
            /**
             * Format: date-time
             * @description When the event occurred.
             * @example 2026-01-31T12:00:00.123Z
             */
            created_at: string;
            data: components["schemas"]["TopupCancelledData"];
        };
        /**
         * TopupChargesRequest
         * @example {
         *       "product_id": 1,
         *       "amount": 10
         *     }
         */
        TopupChargesRequest: {
            /**
             * Format: int64
             * @description The product.
             * @example 3
             */
            product_id: number;
            /**
             * Format: double
             * @description Selects the variant: one of its fixed amounts, or an amount within its bounds.
             * @example 10
             */
            amount: number;
            /**
             * Format: int64
             * @description The wallet that pays. Default: the one in the currency of the variant, else your default wallet.
             * @example 1
             */
            wallet_id?: number | null;
            /**
             * @description Selects a variant of this category.
             * @example Airtime
             */
            category?: string | null;
        };
        /**
         * TopupClaimRequest
         * @example {
         *       "kind": "NOT_RECEIVED",
         *       "text": "The customer received nothing."
         *     }
         */
        TopupClaimRequest: {
            /**
             * @description What is wrong with the goods.
             * @example INVALID_CODE
             * @enum {string}
             */
            kind: "INVALID_CODE" | "ALREADY_USED" | "NOT_RECEIVED" | "WRONG_GOODS" | "NOT_WORKING";
            /** @description Leave it out: the order has one unit. */
            unit?: string | null;
            /**
             * @description What happened, in your words. Name no other customer.
             * @example The shop says that the card has no value.
             */
            text: string;
        };
        /**
         * TopupDeliveredData
         * @description The data of an event about a top-up order.
         * @example {
         *       "id": 14,
         *       "amount": 10,
         *       "status": "DELIVERED",
         *       "currency": "USD",
         *       "created_at": "2026-11-26T12:33:39.985Z",
         *       "completed_at": "2026-11-26T12:33:40.038Z",
         *       "country_code": "USA",
         *       "failure_code": null,
         *       "product_name": "Liberty Mobile",
         *       "variant_name": "Liberty Airtime"
         *     }
         */
        TopupDeliveredData: {
            /**
             * Format: int64
             * @description The order.
             * @example 17
             */
            id: number;
            /**
             * @description The state of the order.
             * @example DELIVERED
             * @enum {string}
             */
            status: "DELIVERED";
            /**
             * @description The name of the product.
             * @example Liberty Mobile
             */
            product_name: string;
            /**
             * @description The ordered variant.
             * @example Liberty Airtime
             */
            variant_name: string;
            /**
             * @description The country of the product.
             * @example USA
             */
            country_code: string;
            /**
             * Format: double
             * @description The debited amount, in the wallet's currency.
             * @example 10
             */
            amount: number;
            /**
             * @description The wallet's currency.
             * @example USD
             */
            currency: string;
            /**
             * @description Always null: it did not fail.
             * @example null
             */
            failure_code: string | null;
            /**
             * Format: date-time
             * @description When the order was placed.
             * @example 2026-01-31T11:59:59.900Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the order ended.
             * @example 2026-01-31T12:00:00.000Z
             */
            completed_at: string;
            /**
             * @description Your name for the order; omitted if you gave none.
             * @example my-first-order
             */
            client_reference?: string;
        };
        /**
         * TopupDeliveredEvent
         * @description A top-up was delivered.
         * @example {
         *       "id": "evt_9456377d750e4e55895f2a3de019d430",
         *       "type": "topup.delivered",
         *       "created_at": "2026-11-26T12:33:40.038Z",
         *       "data": {
         *         "id": 14,
         *         "amount": 10,
         *         "status": "DELIVERED",
         *         "currency": "USD",
         *         "created_at": "2026-11-26T12:33:39.985Z",
         *         "completed_at": "2026-11-26T12:33:40.038Z",
         *         "country_code": "USA",
         *         "failure_code": null,
         *         "product_name": "Liberty Mobile",
         *         "variant_name": "Liberty Airtime"
         *       }
         *     }
         */
        TopupDeliveredEvent: {
            /**
             * @description The id of the event, the same in every attempt.
             * @example evt_0f3c9a5e1b7d4f62a8c0d9e7b6a51234
             */
            id: string;
            /**
             * @description The type of the event.
             * @example topup.delivered
             * @enum {string}
             */
            type: "topup.delivered";
            /**
             * Format: date-time
             * @description When the event occurred.
             * @example 2026-01-31T12:00:00.123Z
             */
            created_at: string;
            data: components["schemas"]["TopupDeliveredData"];
        };
        /**
         * TopupFailedData
         * @description The data of an event about a top-up order.
         * @example {
         *       "id": 9,
         *       "amount": 10,
         *       "status": "FAILED",
         *       "currency": "USD",
         *       "created_at": "2026-11-26T12:33:37.133Z",
         *       "completed_at": "2026-11-26T12:33:37.295Z",
         *       "country_code": "USA",
         *       "failure_code": "INVALID_RECIPIENT",
         *       "product_name": "Liberty Mobile",
         *       "variant_name": "Liberty Airtime",
         *       "failure_reason": "The recipient identifier is malformed or not recognised. Check it and order again.",
         *       "is_user_fixable": true
         *     }
         */
        TopupFailedData: {
            /**
             * Format: int64
             * @description The order.
             * @example 17
             */
            id: number;
            /**
             * @description The state of the order.
             * @example FAILED
             * @enum {string}
             */
            status: "FAILED";
            /**
             * @description The name of the product.
             * @example Liberty Mobile
             */
            product_name: string;
            /**
             * @description The ordered variant.
             * @example Liberty Airtime
             */
            variant_name: string;
            /**
             * @description The country of the product.
             * @example USA
             */
            country_code: string;
            /**
             * Format: double
             * @description The debited amount, in the wallet's currency.
             * @example 10
             */
            amount: number;
            /**
             * @description The wallet's currency.
             * @example USD
             */
            currency: string;
            failure_code: components["schemas"]["FailureCode"];
            /**
             * @description Why the order failed, for the customer.
             * @example The recipient identifier is malformed or not recognised. Check it and order again.
             */
            failure_reason: string;
            /**
             * @description Whether a corrected order can succeed.
             * @example true
             */
            is_user_fixable: boolean;
            /**
             * Format: date-time
             * @description When the order was placed.
             * @example 2026-01-31T11:59:59.900Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the order ended.
             * @example 2026-01-31T12:00:00.000Z
             */
            completed_at: string;
            /**
             * @description Your name for the order; omitted if you gave none.
             * @example my-first-order
             */
            client_reference?: string;
        };
        /**
         * TopupFailedEvent
         * @description A top-up could not be delivered.
         * @example {
         *       "id": "evt_10fdd46fc1814d3988182c838b261ed3",
         *       "type": "topup.failed",
         *       "created_at": "2026-11-26T12:33:37.295Z",
         *       "data": {
         *         "id": 9,
         *         "amount": 10,
         *         "status": "FAILED",
         *         "currency": "USD",
         *         "created_at": "2026-11-26T12:33:37.133Z",
         *         "completed_at": "2026-11-26T12:33:37.295Z",
         *         "country_code": "USA",
         *         "failure_code": "INVALID_RECIPIENT",
         *         "product_name": "Liberty Mobile",
         *         "variant_name": "Liberty Airtime",
         *         "failure_reason": "The recipient identifier is malformed or not recognised. Check it and order again.",
         *         "is_user_fixable": true
         *       }
         *     }
         */
        TopupFailedEvent: {
            /**
             * @description The id of the event, the same in every attempt.
             * @example evt_0f3c9a5e1b7d4f62a8c0d9e7b6a51234
             */
            id: string;
            /**
             * @description The type of the event.
             * @example topup.failed
             * @enum {string}
             */
            type: "topup.failed";
            /**
             * Format: date-time
             * @description When the event occurred.
             * @example 2026-01-31T12:00:00.123Z
             */
            created_at: string;
            data: components["schemas"]["TopupFailedData"];
        };
        /**
         * TopupOrder
         * @description A top-up order.
         * @example {
         *       "id": 7,
         *       "client_reference": "my-first-top-up",
         *       "product_name": "Liberty Mobile",
         *       "country_code": "USA",
         *       "amount": 10,
         *       "currency": "USD",
         *       "status": "DELIVERED",
         *       "status_text": "The top-up was delivered",
         *       "transaction_id": 20,
         *       "created_at": "2026-11-26T12:33:32.596Z",
         *       "product_id": 1,
         *       "variant_name": "Liberty Airtime",
         *       "completed_at": "2026-11-26T12:33:32.662Z",
         *       "charged_amount": 10,
         *       "charged_currency": "USD",
         *       "refunded_amount": 0,
         *       "input_data": {
         *         "phone_number": "+12025550100"
         *       }
         *     }
         */
        TopupOrder: {
            /**
             * Format: int64
             * @description The order.
             * @example 17
             */
            id: number;
            /**
             * @description The name of the product.
             * @example Liberty Mobile
             */
            product_name: string;
            /**
             * @description The country of the product (ISO 3166-1 alpha-3, or `GLO`).
             * @example USA
             */
            country_code: string;
            /**
             * Format: double
             * @description The debited price, in the wallet's currency.
             * @example 10
             */
            amount: number;
            /**
             * @description The wallet's currency.
             * @example USD
             */
            currency: string;
            status: components["schemas"]["TopupOrderStatus"];
            /**
             * @description The state of the order, for people.
             * @example The top-up was delivered
             */
            status_text: string;
            /**
             * Format: date-time
             * @description When the order was placed.
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: int64
             * @description The product.
             * @example 3
             */
            product_id: number;
            /**
             * @description The ordered variant.
             * @example Liberty Airtime
             */
            variant_name: string;
            /**
             * Format: double
             * @description The debited amount; 0 if nothing was debited.
             * @example 9.8
             */
            charged_amount: number;
            /**
             * @description The wallet's currency.
             * @example USD
             */
            charged_currency: string;
            /**
             * Format: double
             * @description The sum of all credited refunds; 0 until one is credited.
             * @example 0
             */
            refunded_amount: number;
            /**
             * @description The customer's input, normalised. Empty once the recipient was erased; null if it is unreadable.
             * @example {
             *       "phone_number": "+12025550100"
             *     }
             */
            input_data: {
                [key: string]: string | number;
            } | null;
            /**
             * @description Your name for the order; omitted if you gave none.
             * @example my-first-order
             */
            client_reference?: string;
            /**
             * Format: int64
             * @description The transaction that debited the wallet; omitted if nothing was debited.
             * @example 5021
             */
            transaction_id?: number;
            /** @description The unit that the order replaces; omitted if it replaces none. */
            replaces?: {
                /**
                 * Format: int64
                 * @description The order of the unit.
                 * @example 17
                 */
                order_id: number;
                /**
                 * Format: int64
                 * @description The unit of a voucher order, from 1; null for other families.
                 * @example 1
                 */
                unit: number | null;
            };
            /** @description The orders that replace units of this order; omitted if there are none. */
            replacements?: {
                /**
                 * Format: int64
                 * @description The unit of a voucher order, from 1; null for other families.
                 * @example 1
                 */
                unit: number | null;
                /**
                 * Format: int64
                 * @description The order that replaces it.
                 * @example 18
                 */
                order_id: number;
                /**
                 * Format: date-time
                 * @description When it was delivered; null until then.
                 * @example 2026-02-01T12:00:00.000Z
                 */
                replaced_at: string | null;
            }[];
            /**
             * Format: date-time
             * @description When the order ended; omitted until then.
             * @example 2026-01-31T12:00:04.000Z
             */
            completed_at?: string;
            /**
             * Format: int64
             * @description The transaction of the first refund; omitted until there is one.
             * @example 5022
             */
            refund_transaction_id?: number;
            failure_code?: components["schemas"]["FailureCode"];
            /**
             * @description Why the order failed, for the customer.
             * @example The recipient identifier is malformed or not recognised. Check it and order again.
             */
            failure_reason?: string;
            /**
             * @description Whether a corrected order can succeed.
             * @example true
             */
            is_user_fixable?: boolean;
        };
        /**
         * TopupOrderItem
         * @description A top-up order in a list.
         * @example {
         *       "id": 7,
         *       "client_reference": "my-first-top-up",
         *       "product_name": "Liberty Mobile",
         *       "country_code": "USA",
         *       "amount": 10,
         *       "currency": "USD",
         *       "status": "DELIVERED",
         *       "status_text": "The top-up was delivered",
         *       "transaction_id": 20,
         *       "created_at": "2026-11-26T12:33:32.596Z",
         *       "product_id": 1,
         *       "variant_name": "Liberty Airtime",
         *       "completed_at": "2026-11-26T12:33:32.662Z"
         *     }
         */
        TopupOrderItem: {
            /**
             * Format: int64
             * @description The order.
             * @example 17
             */
            id: number;
            /**
             * @description The name of the product.
             * @example Liberty Mobile
             */
            product_name: string;
            /**
             * @description The country of the product (ISO 3166-1 alpha-3, or `GLO`).
             * @example USA
             */
            country_code: string;
            /**
             * Format: double
             * @description The debited price, in the wallet's currency.
             * @example 10
             */
            amount: number;
            /**
             * @description The wallet's currency.
             * @example USD
             */
            currency: string;
            status: components["schemas"]["TopupOrderStatus"];
            /**
             * @description The state of the order, for people.
             * @example The top-up was delivered
             */
            status_text: string;
            /**
             * Format: date-time
             * @description When the order was placed.
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: int64
             * @description The product.
             * @example 3
             */
            product_id: number;
            /**
             * @description The ordered variant.
             * @example Liberty Airtime
             */
            variant_name: string;
            /**
             * @description Your name for the order; omitted if you gave none.
             * @example my-first-order
             */
            client_reference?: string;
            /**
             * Format: int64
             * @description The transaction that debited the wallet; omitted if nothing was debited.
             * @example 5021
             */
            transaction_id?: number;
            /** @description The unit that the order replaces; omitted if it replaces none. */
            replaces?: {
                /**
                 * Format: int64
                 * @description The order of the unit.
                 * @example 17
                 */
                order_id: number;
                /**
                 * Format: int64
                 * @description The unit of a voucher order, from 1; null for other families.
                 * @example 1
                 */
                unit: number | null;
            };
            /** @description The orders that replace units of this order; omitted if there are none. */
            replacements?: {
                /**
                 * Format: int64
                 * @description The unit of a voucher order, from 1; null for other families.
                 * @example 1
                 */
                unit: number | null;
                /**
                 * Format: int64
                 * @description The order that replaces it.
                 * @example 18
                 */
                order_id: number;
                /**
                 * Format: date-time
                 * @description When it was delivered; null until then.
                 * @example 2026-02-01T12:00:00.000Z
                 */
                replaced_at: string | null;
            }[];
            /**
             * Format: date-time
             * @description When the order ended; omitted until then.
             * @example 2026-01-31T12:00:04.000Z
             */
            completed_at?: string;
            failure_code?: components["schemas"]["FailureCode"];
            /**
             * @description Why the order failed, for the customer.
             * @example The recipient identifier is malformed or not recognised. Check it and order again.
             */
            failure_reason?: string;
            /**
             * @description Whether a corrected order can succeed.
             * @example true
             */
            is_user_fixable?: boolean;
        };
        /**
         * TopupOrderRequest
         * @example {
         *       "product_id": 1,
         *       "amount": 10,
         *       "input_data": {
         *         "phone_number": "12025550100"
         *       },
         *       "client_reference": "my-first-top-up"
         *     }
         */
        TopupOrderRequest: {
            /**
             * Format: int64
             * @description The product.
             * @example 3
             */
            product_id: number;
            /**
             * Format: double
             * @description Selects the variant: one of its fixed amounts, or an amount within its bounds.
             * @example 10
             */
            amount: number;
            /**
             * Format: int64
             * @description The wallet that pays. Default: the one in the currency of the variant, else your default wallet.
             * @example 1
             */
            wallet_id?: number | null;
            /**
             * @description Your name for the order, unique among all your orders. A second order request with it is rejected.
             * @example my-first-order
             */
            client_reference?: string | null;
            /**
             * @description The `card_number` of one of your redeemable vouchers, which pays instead of the wallet. The wallet pays only if the field is absent or null.
             * @example HC-7781-2203-9914
             */
            redeem_voucher_code?: string | null;
            /**
             * @description Selects a variant of this category.
             * @example Airtime
             */
            category?: string | null;
            /**
             * @description The customer's input: a value for each `field_name` of the product's `input_fields`.
             * @example {
             *       "phone": "+14155550123"
             *     }
             */
            input_data?: Record<string, unknown> | null;
        };
        /**
         * TopupOrderStatus
         * @description The state of the order.
         * @example DELIVERED
         * @enum {string}
         */
        TopupOrderStatus: "PENDING" | "DELIVERED" | "FAILED" | "CANCELLED";
        /**
         * TopupProduct
         * @description A top-up.
         * @example {
         *       "id": 1,
         *       "name": "Liberty Mobile",
         *       "topup_type": "MOBILE",
         *       "country_code": "USA",
         *       "currency_code": "USD",
         *       "image_url": "https://sandbox.example/pictures/liberty-mobile.svg"
         *     }
         */
        TopupProduct: {
            /**
             * Format: int64
             * @description The product.
             * @example 3
             */
            id: number;
            /**
             * @description Its name.
             * @example Liberty Mobile
             */
            name: string;
            /**
             * @description In-game currency, prepaid airtime and data, or bills and other utilities.
             * @example MOBILE
             * @enum {string}
             */
            topup_type: "GAMING" | "MOBILE" | "UTILITY";
            /**
             * @description The country where it is sold (ISO 3166-1 alpha-3, or `GLO`).
             * @example USA
             */
            country_code: string;
            /**
             * @description The currency of its amounts.
             * @example USD
             */
            currency_code: string;
            /**
             * @description A picture; may be empty.
             * @example https://images.digital-goods.example/topups/liberty-mobile.png
             */
            image_url: string;
        };
        /**
         * TopupProductDetail
         * @description A top-up with its input fields.
         * @example {
         *       "id": 1,
         *       "name": "Liberty Mobile",
         *       "topup_type": "MOBILE",
         *       "country_code": "USA",
         *       "currency_code": "USD",
         *       "image_url": "https://sandbox.example/pictures/liberty-mobile.svg",
         *       "input_fields": [
         *         {
         *           "help_text": "With country code, without spaces.",
         *           "field_name": "phone_number",
         *           "field_type": "phone",
         *           "field_label": "Phone number",
         *           "is_required": true,
         *           "placeholder": "12025550100"
         *         }
         *       ]
         *     }
         */
        TopupProductDetail: {
            /**
             * Format: int64
             * @description The product.
             * @example 3
             */
            id: number;
            /**
             * @description Its name.
             * @example Liberty Mobile
             */
            name: string;
            /**
             * @description In-game currency, prepaid airtime and data, or bills and other utilities.
             * @example MOBILE
             * @enum {string}
             */
            topup_type: "GAMING" | "MOBILE" | "UTILITY";
            /**
             * @description The country where it is sold (ISO 3166-1 alpha-3, or `GLO`).
             * @example USA
             */
            country_code: string;
            /**
             * @description The currency of its amounts.
             * @example USD
             */
            currency_code: string;
            /**
             * @description A picture; may be empty.
             * @example https://images.digital-goods.example/topups/liberty-mobile.png
             */
            image_url: string;
            /** @description The fields of `input_data` in an order. */
            input_fields: components["schemas"]["InputField"][];
        };
        /**
         * TopupRefundedData
         * @description The data of an event about a top-up order.
         * @example {
         *       "id": 6,
         *       "amount": 10,
         *       "status": "DELIVERED",
         *       "currency": "USD",
         *       "created_at": "2026-11-26T06:18:32.952Z",
         *       "completed_at": "2026-11-26T06:18:32.982Z",
         *       "country_code": "USA",
         *       "failure_code": null,
         *       "product_name": "Liberty Mobile",
         *       "variant_name": "Liberty Airtime",
         *       "client_reference": "my-first-top-up",
         *       "refund_id": 1,
         *       "refund_amount": 1,
         *       "reason_code": "GOODWILL"
         *     }
         */
        TopupRefundedData: {
            /**
             * Format: int64
             * @description The order.
             * @example 17
             */
            id: number;
            /**
             * @description The state of the order. A refund does not change it.
             * @example DELIVERED
             * @enum {string}
             */
            status: "DELIVERED";
            /**
             * @description The name of the product.
             * @example Liberty Mobile
             */
            product_name: string;
            /**
             * @description The ordered variant.
             * @example Liberty Airtime
             */
            variant_name: string;
            /**
             * @description The country of the product.
             * @example USA
             */
            country_code: string;
            /**
             * Format: double
             * @description The debited amount, in the wallet's currency.
             * @example 10
             */
            amount: number;
            /**
             * @description The wallet's currency.
             * @example USD
             */
            currency: string;
            /**
             * @description Always null: it did not fail.
             * @example null
             */
            failure_code: string | null;
            /**
             * Format: date-time
             * @description When the order was placed.
             * @example 2026-01-31T11:59:59.900Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the order ended.
             * @example 2026-01-31T12:00:00.000Z
             */
            completed_at: string;
            /**
             * Format: int64
             * @description The number of the refund, from 1: its `id` in the list of refunds.
             * @example 1
             */
            refund_id: number;
            /**
             * Format: double
             * @description The refunded amount, in the wallet's currency.
             * @example 9.8
             */
            refund_amount: number;
            /**
             * @description Why the order was refunded.
             * @example GOODWILL
             * @enum {string}
             */
            reason_code: "GOODWILL" | "INVALID_GOODS" | "NOT_RECEIVED" | "WRONG_PRICE" | "DUPLICATE" | "OTHER";
            /**
             * @description Your name for the order; omitted if you gave none.
             * @example my-first-order
             */
            client_reference?: string;
        };
        /**
         * TopupRefundedEvent
         * @description A top-up was refunded after its delivery.
         * @example {
         *       "id": "evt_2e8f61a9d3c74b05958b7c1f0e6a4d82",
         *       "type": "topup.refunded",
         *       "created_at": "2026-11-26T06:18:33.604Z",
         *       "data": {
         *         "id": 6,
         *         "amount": 10,
         *         "status": "DELIVERED",
         *         "currency": "USD",
         *         "created_at": "2026-11-26T06:18:32.952Z",
         *         "completed_at": "2026-11-26T06:18:32.982Z",
         *         "country_code": "USA",
         *         "failure_code": null,
         *         "product_name": "Liberty Mobile",
         *         "variant_name": "Liberty Airtime",
         *         "client_reference": "my-first-top-up",
         *         "refund_id": 1,
         *         "refund_amount": 1,
         *         "reason_code": "GOODWILL"
         *       }
         *     }
         */
        TopupRefundedEvent: {
            /**
             * @description The id of the event, the same in every attempt.
             * @example evt_0f3c9a5e1b7d4f62a8c0d9e7b6a51234
             */
            id: string;
            /**
             * @description The type of the event.
             * @example topup.refunded
             * @enum {string}
             */
            type: "topup.refunded";
            /**
             * Format: date-time
             * @description When the event occurred.
             * @example 2026-01-31T12:00:00.123Z
             */
            created_at: string;
            data: components["schemas"]["TopupRefundedData"];
        };
        /**
         * TopupVariant
         * @description A variant of a top-up, with fixed amounts or bounds.
         * @example {
         *       "id": 1,
         *       "name": "Liberty Airtime",
         *       "category": "Airtime",
         *       "currency_code": "USD",
         *       "unit": "USD",
         *       "min_amount": 5,
         *       "max_amount": 100,
         *       "available_in": [
         *         {
         *           "code": "USA",
         *           "name": "United States"
         *         }
         *       ],
         *       "fields": [
         *         {
         *           "key": "delivery_time",
         *           "value": "Instant"
         *         },
         *         {
         *           "key": "tag",
         *           "value": "Popular"
         *         }
         *       ]
         *     }
         */
        TopupVariant: {
            /**
             * Format: int64
             * @description The variant.
             * @example 8
             */
            id: number;
            /**
             * @description Its name.
             * @example Liberty Airtime
             */
            name: string;
            /**
             * @description Its category; may be empty.
             * @example Airtime
             */
            category: string;
            /**
             * @description The currency of its amounts.
             * @example USD
             */
            currency_code: string;
            /** @description The regions where it is valid. */
            available_in: {
                /**
                 * @description The code of the region.
                 * @example USA
                 */
                code: string;
                /**
                 * @description Its name.
                 * @example United States
                 */
                name: string;
            }[];
            /** @description More details for customers. */
            fields: {
                /**
                 * @description The name: `par_value`, `delivery_time`, `validity_days`, `validity_unit`, `tag` or `benefit_*`.
                 * @example delivery_time
                 */
                key: string;
                /**
                 * @description A number for `par_value`, else text.
                 * @example Instant
                 */
                value: string | number;
            }[];
            /**
             * @description The unit of `par_value`; omitted if there is none.
             * @example USD
             */
            unit?: string;
            /**
             * Format: double
             * @description The minimum amount, if the customer chooses it.
             * @example 5
             */
            min_amount?: number;
            /**
             * Format: double
             * @description The maximum amount.
             * @example 100
             */
            max_amount?: number;
            /**
             * @description The fixed amounts.
             * @example [
             *       "15.00"
             *     ]
             */
            fixed_amounts?: string[];
        };
        /**
         * Transaction
         * @description One movement of money in a wallet.
         * @example {
         *       "id": 12,
         *       "wallet_id": 1,
         *       "currency_id": 148,
         *       "amount": 9.5,
         *       "transaction_type": "DEBIT",
         *       "status": "COMPLETED",
         *       "source_currency": null,
         *       "destination_currency": null,
         *       "forex_rate": null,
         *       "conversion_charges": null,
         *       "remarks": "Order 1: Harbour Coffee Gift Card",
         *       "reference_number": "order-1",
         *       "created_at": "2026-11-26T12:33:29.252Z",
         *       "order_family": "VOUCHER"
         *     }
         */
        Transaction: {
            /**
             * Format: int64
             * @description The transaction.
             * @example 5021
             */
            id: number;
            /**
             * Format: int64
             * @description The wallet.
             * @example 1
             */
            wallet_id: number;
            /**
             * Format: int64
             * @description The wallet's currency.
             * @example 150
             */
            currency_id: number;
            /**
             * Format: double
             * @description The amount, always above 0.
             * @example 10
             */
            amount: number;
            /**
             * @description `CREDIT` into the wallet, `DEBIT` out of it.
             * @example DEBIT
             * @enum {string}
             */
            transaction_type: "CREDIT" | "DEBIT";
            /**
             * @description Always `COMPLETED`.
             * @example COMPLETED
             * @enum {string}
             */
            status: "PENDING" | "COMPLETED" | "FAILED";
            /**
             * @description The product's currency, if it differs from the wallet's.
             * @example USD
             */
            source_currency: string | null;
            /**
             * @description The wallet's currency, if it differs from the product's.
             * @example EUR
             */
            destination_currency: string | null;
            /**
             * Format: double
             * @description The exchange rate between them.
             * @example 0.92
             */
            forex_rate: number | null;
            /**
             * Format: double
             * @description The conversion fee, in the wallet's currency.
             * @example 0.18
             */
            conversion_charges: number | null;
            /**
             * @description Its purpose.
             * @example Order 17: Harbour Coffee Gift Card
             */
            remarks: string;
            /**
             * @description `order-<order id>` for an order, else the reference of the booking.
             * @example order-17
             */
            reference_number: string;
            /**
             * Format: date-time
             * @description When it was booked.
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            /**
             * @description The family of the order; omitted if the entry belongs to none.
             * @example VOUCHER
             * @enum {string}
             */
            order_family?: "VOUCHER" | "TOPUP" | "ESIM";
        };
        /**
         * Voucher
         * @description One voucher. Its fields depend on the product.
         * @example {
         *       "card_number": "CJFNF66MR1VC2YY7",
         *       "pin_code": "794207",
         *       "claim_url": null,
         *       "expires_at": "2027-11-26T12:33:29.342Z",
         *       "voucher_reference_number": "VRW1QNPEQM"
         *     }
         */
        Voucher: {
            /**
             * @description The code.
             * @example HC-7781-2203-9914
             */
            card_number: string | null;
            /**
             * @description Its PIN.
             * @example 4471
             */
            pin_code: string | null;
            /**
             * @description The URL to claim it.
             * @example https://claim.issuer.example/9f1c1a52
             */
            claim_url: string | null;
            /**
             * Format: date-time
             * @description When it expires.
             * @example 2027-01-31T00:00:00.000Z
             */
            expires_at: string | null;
            /**
             * @description The issuer's reference number.
             * @example VRN-118203
             */
            voucher_reference_number: string | null;
        };
        /**
         * VoucherCharges
         * @description The exact price of a voucher order.
         * @example {
         *       "non_discounted_total": 10,
         *       "discount_amount": 0.5,
         *       "total_amount": 9.5,
         *       "discount": 5,
         *       "gst_amount": 0,
         *       "net_amount": null,
         *       "handling_fee_amount": null,
         *       "total_payable": 9.5,
         *       "max_quantity": 1000,
         *       "charges_details": {
         *         "source_currency": "USD",
         *         "destination_currency": "USD",
         *         "forex_rate": null,
         *         "conversion_fee": null
         *       }
         *     }
         */
        VoucherCharges: {
            /**
             * Format: double
             * @description The list total (face value times quantity), in the product's currency.
             * @example 10
             */
            non_discounted_total: number;
            /**
             * Format: double
             * @description The discount as an amount.
             * @example 0.2
             */
            discount_amount: number;
            /**
             * Format: double
             * @description The list total less the discount.
             * @example 9.8
             */
            total_amount: number;
            /**
             * Format: double
             * @description Your discount in percent; 0 without one.
             * @example 2
             */
            discount: number;
            /**
             * Format: double
             * @description The tax contained in `total_amount`. It is never added.
             * @example 0
             */
            gst_amount: number;
            /**
             * Format: double
             * @description `total_amount` in the wallet's currency.
             * @example 9.02
             */
            net_amount: number | null;
            /**
             * Format: double
             * @description Always 0.
             * @example 0
             */
            handling_fee_amount: number | null;
            /**
             * Format: double
             * @description The price, which the order debits, in the wallet's currency.
             * @example 9.8
             */
            total_payable: number;
            /**
             * Format: int64
             * @description The maximum quantity of one order.
             * @example 100
             */
            max_quantity: number;
            /** @description The conversion. */
            charges_details: {
                /**
                 * @description The wallet's currency.
                 * @example EUR
                 */
                source_currency: string;
                /**
                 * @description The product's currency.
                 * @example USD
                 */
                destination_currency: string;
                /**
                 * Format: double
                 * @description The exchange rate from the product's currency to the wallet's.
                 * @example 0.92
                 */
                forex_rate: number | null;
                /**
                 * Format: double
                 * @description The conversion fee in percent of the converted total.
                 * @example 2
                 */
                conversion_fee: number | null;
            };
        };
        /**
         * VoucherChargesRequest
         * @example {
         *       "denomination": 10,
         *       "quantity": 1
         *     }
         */
        VoucherChargesRequest: {
            /**
             * Format: double
             * @description Face value of one voucher: a value that the product offers.
             * @example 10
             */
            denomination: number;
            /**
             * Format: int64
             * @description The number of vouchers, up to the `max_quantity` of the charges. More than 5 are delivered in the background.
             * @example 1
             */
            quantity: number;
            /**
             * Format: int64
             * @description The wallet that pays. Default: the one in the product's currency.
             * @example 1
             */
            wallet_id?: number | null;
        };
        /**
         * VoucherClaimRequest
         * @example {
         *       "kind": "INVALID_CODE",
         *       "unit": 1,
         *       "text": "The shop says that the card has no value."
         *     }
         */
        VoucherClaimRequest: {
            /**
             * @description What is wrong with the goods.
             * @example INVALID_CODE
             * @enum {string}
             */
            kind: "INVALID_CODE" | "ALREADY_USED" | "NOT_RECEIVED" | "WRONG_GOODS" | "NOT_WORKING";
            /**
             * Format: int64
             * @description The unit of the voucher order, from 1.
             * @example 1
             */
            unit: number;
            /**
             * @description What happened, in your words. Name no other customer.
             * @example The shop says that the card has no value.
             */
            text: string;
        };
        /**
         * VoucherOrder
         * @description A voucher order.
         * @example {
         *       "id": 1,
         *       "client_reference": "my-first-order",
         *       "product_id": 1,
         *       "product_name": "Harbour Coffee Gift Card",
         *       "denomination": 10,
         *       "quantity": 1,
         *       "discount": 0.5,
         *       "amount": 10,
         *       "status": "DELIVERED",
         *       "base_currency": "USD",
         *       "deduction_currency": "USD",
         *       "transaction_id": 12,
         *       "placed_at": "2026-11-26T12:33:29.252Z",
         *       "charged_amount": 9.5,
         *       "charged_currency": "USD",
         *       "refunded_amount": 0,
         *       "message": "All vouchers are delivered",
         *       "vouchers": [
         *         {
         *           "card_number": "CJFNF66MR1VC2YY7",
         *           "pin_code": "794207",
         *           "claim_url": null,
         *           "expires_at": "2027-11-26T12:33:29.342Z",
         *           "voucher_reference_number": "VRW1QNPEQM"
         *         }
         *       ]
         *     }
         */
        VoucherOrder: {
            /**
             * Format: int64
             * @description The order.
             * @example 17
             */
            id: number;
            /**
             * Format: int64
             * @description The product.
             * @example 1
             */
            product_id: number;
            /**
             * @description Its name.
             * @example Harbour Coffee Gift Card
             */
            product_name: string;
            /**
             * Format: double
             * @description Face value of one voucher.
             * @example 10
             */
            denomination: number;
            /**
             * Format: int64
             * @description The number of vouchers.
             * @example 1
             */
            quantity: number;
            /**
             * Format: double
             * @description The discount, in the product's currency.
             * @example 0.2
             */
            discount: number;
            /**
             * Format: double
             * @description Face value times quantity, in the product's currency.
             * @example 10
             */
            amount: number;
            status: components["schemas"]["VoucherOrderStatus"];
            /**
             * @description The product's currency.
             * @example USD
             */
            base_currency: string;
            /**
             * @description The wallet's currency.
             * @example USD
             */
            deduction_currency: string;
            /**
             * Format: double
             * @description The debited amount; 0 if nothing was debited.
             * @example 9.8
             */
            charged_amount: number;
            /**
             * @description The wallet's currency.
             * @example USD
             */
            charged_currency: string;
            /**
             * Format: double
             * @description The sum of all credited refunds; 0 until one is credited.
             * @example 0
             */
            refunded_amount: number;
            /**
             * @description The state of the order, for people.
             * @example All vouchers are delivered
             */
            message: string;
            /**
             * Format: date-time
             * @description When the order was placed.
             * @example 2026-01-31T12:00:00.000Z
             */
            placed_at: string;
            /**
             * @description Your name for the order; omitted if you gave none.
             * @example my-first-order
             */
            client_reference?: string;
            /**
             * @description The delivery email; omitted if there is none.
             * @example buyer@client.example
             */
            email?: string;
            /**
             * Format: int64
             * @description The transaction that debited the wallet; omitted if nothing was debited.
             * @example 5021
             */
            transaction_id?: number;
            /**
             * Format: int64
             * @description The transaction of the first refund; omitted until there is one.
             * @example 5022
             */
            refund_transaction_id?: number;
            /** @description The unit that the order replaces; omitted if it replaces none. */
            replaces?: {
                /**
                 * Format: int64
                 * @description The order of the unit.
                 * @example 17
                 */
                order_id: number;
                /**
                 * Format: int64
                 * @description The unit of a voucher order, from 1; null for other families.
                 * @example 1
                 */
                unit: number | null;
            };
            /** @description The orders that replace units of this order; omitted if there are none. */
            replacements?: {
                /**
                 * Format: int64
                 * @description The unit of a voucher order, from 1; null for other families.
                 * @example 1
                 */
                unit: number | null;
                /**
                 * Format: int64
                 * @description The order that replaces it.
                 * @example 18
                 */
                order_id: number;
                /**
                 * Format: date-time
                 * @description When it was delivered; null until then.
                 * @example 2026-02-01T12:00:00.000Z
                 */
                replaced_at: string | null;
            }[];
            /** @description The delivered vouchers. Empty while the order is PENDING. Omitted for keys without the scope `codes`. */
            vouchers?: components["schemas"]["Voucher"][];
            failure_code?: components["schemas"]["FailureCode"];
            /**
             * @description Why the order failed, for the customer.
             * @example The recipient identifier is malformed or not recognised. Check it and order again.
             */
            failure_reason?: string;
            /**
             * @description Whether a corrected order can succeed.
             * @example true
             */
            is_user_fixable?: boolean;
        };
        /**
         * VoucherOrderItem
         * @description A voucher order in a list.
         * @example {
         *       "id": 1,
         *       "product_id": 1,
         *       "product_name": "Harbour Coffee Gift Card",
         *       "client_reference": "my-first-order",
         *       "transaction_id": 12,
         *       "denomination": 10,
         *       "quantity": 1,
         *       "amount": 10,
         *       "currency": "USD",
         *       "status": "DELIVERED",
         *       "email": "",
         *       "placed_at": "2026-11-26T12:33:29.252Z"
         *     }
         */
        VoucherOrderItem: {
            /**
             * Format: int64
             * @description The order.
             * @example 17
             */
            id: number;
            /**
             * Format: int64
             * @description The product.
             * @example 1
             */
            product_id: number;
            /**
             * @description Its name.
             * @example Harbour Coffee Gift Card
             */
            product_name: string;
            /**
             * Format: double
             * @description Face value of one voucher.
             * @example 10
             */
            denomination: number;
            /**
             * Format: int64
             * @description The number of vouchers.
             * @example 1
             */
            quantity: number;
            /**
             * Format: double
             * @description Face value times quantity, in the product's currency.
             * @example 10
             */
            amount: number;
            /**
             * @description The product's currency.
             * @example USD
             */
            currency: string;
            status: components["schemas"]["VoucherOrderStatus"];
            /**
             * @description The delivery email; empty if there is none.
             * @example buyer@client.example
             */
            email: string;
            /**
             * Format: date-time
             * @description When the order was placed.
             * @example 2026-01-31T12:00:00.000Z
             */
            placed_at: string;
            /**
             * @description Your name for the order; omitted if you gave none.
             * @example my-first-order
             */
            client_reference?: string;
            /**
             * Format: int64
             * @description The transaction that debited the wallet; omitted if nothing was debited.
             * @example 5021
             */
            transaction_id?: number;
            /** @description The unit that the order replaces; omitted if it replaces none. */
            replaces?: {
                /**
                 * Format: int64
                 * @description The order of the unit.
                 * @example 17
                 */
                order_id: number;
                /**
                 * Format: int64
                 * @description The unit of a voucher order, from 1; null for other families.
                 * @example 1
                 */
                unit: number | null;
            };
            /** @description The orders that replace units of this order; omitted if there are none. */
            replacements?: {
                /**
                 * Format: int64
                 * @description The unit of a voucher order, from 1; null for other families.
                 * @example 1
                 */
                unit: number | null;
                /**
                 * Format: int64
                 * @description The order that replaces it.
                 * @example 18
                 */
                order_id: number;
                /**
                 * Format: date-time
                 * @description When it was delivered; null until then.
                 * @example 2026-02-01T12:00:00.000Z
                 */
                replaced_at: string | null;
            }[];
        };
        /**
         * VoucherOrderRequest
         * @example {
         *       "product_id": 1,
         *       "denomination": 10,
         *       "quantity": 1,
         *       "client_reference": "my-first-order"
         *     }
         */
        VoucherOrderRequest: {
            /**
             * Format: int64
             * @description The product.
             * @example 1
             */
            product_id: number;
            /**
             * Format: double
             * @description Face value of one voucher: a value that the product offers.
             * @example 10
             */
            denomination: number;
            /**
             * Format: int64
             * @description The number of vouchers, up to the `max_quantity` of the charges. More than 5 are delivered in the background.
             * @example 1
             */
            quantity: number;
            /**
             * Format: int64
             * @description The wallet that pays. Default: the one in the product's currency.
             * @example 1
             */
            wallet_id?: number | null;
            /**
             * @description Your name for the order, unique among all your orders. A second order request with it is rejected.
             * @example my-first-order
             */
            client_reference?: string | null;
            /**
             * Format: email
             * @description An address that gets one email when the order ends.
             * @example buyer@client.example
             */
            email?: string | null;
            /** @description Leave it out: only a wallet pays for vouchers. */
            redeem_voucher_code?: string | null;
        };
        /**
         * VoucherOrderStatus
         * @description The state of the order.
         * @example DELIVERED
         * @enum {string}
         */
        VoucherOrderStatus: "PENDING" | "PARTIALLY_DELIVERED" | "DELIVERED" | "FAILED" | "CANCELLED";
        /**
         * VoucherProduct
         * @description A gift card.
         * @example {
         *       "id": 1,
         *       "name": "Harbour Coffee Gift Card",
         *       "category": "Food & Drink",
         *       "sub_category": "Coffee",
         *       "country_code": "USA",
         *       "currency_code": "USD",
         *       "image_url": "https://sandbox.example/pictures/sim-gc-coffee-us.svg",
         *       "delivery_mode": "Code with PIN",
         *       "delivery_time": "Instant",
         *       "validity": "12 months from purchase",
         *       "redeemable": false,
         *       "available_denominations": [
         *         {
         *           "min_value": 5,
         *           "max_value": 5,
         *           "discount": 5
         *         },
         *         {
         *           "min_value": 10,
         *           "max_value": 10,
         *           "discount": 5
         *         },
         *         {
         *           "min_value": 25,
         *           "max_value": 25,
         *           "discount": 5
         *         },
         *         {
         *           "min_value": 50,
         *           "max_value": 50,
         *           "discount": 5
         *         }
         *       ]
         *     }
         */
        VoucherProduct: {
            /**
             * Format: int64
             * @description The product.
             * @example 1
             */
            id: number;
            /**
             * @description Its name.
             * @example Harbour Coffee Gift Card
             */
            name: string;
            /**
             * @description Its category.
             * @example Food & Drink
             */
            category: string;
            /**
             * @description Its subcategory.
             * @example Coffee
             */
            sub_category: string | null;
            /**
             * @description The country where it is sold (ISO 3166-1 alpha-3, or `GLO`).
             * @example USA
             */
            country_code: string;
            /**
             * @description The currency of its face values.
             * @example USD
             */
            currency_code: string;
            /**
             * @description A picture.
             * @example https://images.digital-goods.example/vouchers/sim-gc-coffee-us.png
             */
            image_url: string | null;
            /**
             * @description The form of its codes.
             * @example Code with PIN
             * @enum {string|null}
             */
            delivery_mode: "Code with PIN" | "URL" | null;
            /**
             * @description `Delayed` is always delivered in the background.
             * @example Instant
             * @enum {string|null}
             */
            delivery_time: "Instant" | "Delayed" | null;
            /**
             * @description How long its vouchers are valid.
             * @example 12 months from purchase
             */
            validity: string | null;
            /**
             * @description Whether its codes pay for top-ups and eSIMs.
             * @example false
             */
            redeemable: boolean;
            /** @description The available face values. */
            available_denominations: {
                /**
                 * Format: double
                 * @description The smallest face value.
                 * @example 10
                 */
                min_value: number;
                /**
                 * Format: double
                 * @description The largest face value. Equal to the smallest if it is fixed.
                 * @example 10
                 */
                max_value: number;
                /**
                 * Format: double
                 * @description Your discount in percent of the face value.
                 * @example 2
                 */
                discount: number;
            }[];
        };
        /**
         * VoucherProductDetail
         * @description A gift card with its texts.
         * @example {
         *       "id": 1,
         *       "name": "Harbour Coffee Gift Card",
         *       "category": "Food & Drink",
         *       "sub_category": "Coffee",
         *       "country_code": "USA",
         *       "currency_code": "USD",
         *       "image_url": "https://sandbox.example/pictures/sim-gc-coffee-us.svg",
         *       "delivery_mode": "Code with PIN",
         *       "delivery_time": "Instant",
         *       "validity": "12 months from purchase",
         *       "redeemable": false,
         *       "available_denominations": [
         *         {
         *           "min_value": 5,
         *           "max_value": 5,
         *           "discount": 5
         *         },
         *         {
         *           "min_value": 10,
         *           "max_value": 10,
         *           "discount": 5
         *         },
         *         {
         *           "min_value": 25,
         *           "max_value": 25,
         *           "discount": 5
         *         },
         *         {
         *           "min_value": 50,
         *           "max_value": 50,
         *           "discount": 5
         *         }
         *       ],
         *       "terms": "Not exchangeable for cash. Cannot be replaced when lost or stolen.",
         *       "details": "Harbour Coffee Gift Card to spend in one or several purchases.",
         *       "how_to_use": "Enter the card number and PIN at the checkout."
         *     }
         */
        VoucherProductDetail: {
            /**
             * Format: int64
             * @description The product.
             * @example 1
             */
            id: number;
            /**
             * @description Its name.
             * @example Harbour Coffee Gift Card
             */
            name: string;
            /**
             * @description Its category.
             * @example Food & Drink
             */
            category: string;
            /**
             * @description Its subcategory.
             * @example Coffee
             */
            sub_category: string | null;
            /**
             * @description The country where it is sold (ISO 3166-1 alpha-3, or `GLO`).
             * @example USA
             */
            country_code: string;
            /**
             * @description The currency of its face values.
             * @example USD
             */
            currency_code: string;
            /**
             * @description A picture.
             * @example https://images.digital-goods.example/vouchers/sim-gc-coffee-us.png
             */
            image_url: string | null;
            /**
             * @description The form of its codes.
             * @example Code with PIN
             * @enum {string|null}
             */
            delivery_mode: "Code with PIN" | "URL" | null;
            /**
             * @description `Delayed` is always delivered in the background.
             * @example Instant
             * @enum {string|null}
             */
            delivery_time: "Instant" | "Delayed" | null;
            /**
             * @description How long its vouchers are valid.
             * @example 12 months from purchase
             */
            validity: string | null;
            /**
             * @description Whether its codes pay for top-ups and eSIMs.
             * @example false
             */
            redeemable: boolean;
            /** @description The available face values. */
            available_denominations: {
                /**
                 * Format: double
                 * @description The smallest face value.
                 * @example 10
                 */
                min_value: number;
                /**
                 * Format: double
                 * @description The largest face value. Equal to the smallest if it is fixed.
                 * @example 10
                 */
                max_value: number;
                /**
                 * Format: double
                 * @description Your discount in percent of the face value.
                 * @example 2
                 */
                discount: number;
            }[];
            /**
             * @description Terms of its issuer.
             * @example Not exchangeable for cash.
             */
            terms: string | null;
            /**
             * @description A description.
             * @example To spend in one or several purchases.
             */
            details: string | null;
            /**
             * @description How to use it.
             * @example Enter the card number and PIN at the checkout.
             */
            how_to_use: string | null;
        };
        /**
         * Wallet
         * @description A prepaid balance that pays for orders.
         * @example {
         *       "id": 1,
         *       "currency_id": 148,
         *       "currency_code": "USD",
         *       "balance": 1000000,
         *       "is_default": true,
         *       "low_balance_threshold": null,
         *       "created_at": "2026-11-26T12:33:11.560Z",
         *       "updated_at": "2026-11-26T12:33:11.583Z"
         *     }
         */
        Wallet: {
            /**
             * Format: int64
             * @description The wallet.
             * @example 1
             */
            id: number;
            /**
             * Format: int64
             * @description Its currency.
             * @example 150
             */
            currency_id: number;
            /**
             * @description Its currency (ISO 4217).
             * @example USD
             */
            currency_code: string;
            /**
             * Format: double
             * @description The balance.
             * @example 1234.56
             */
            balance: number;
            /**
             * @description Whether it pays for top-ups and eSIMs if the request names no wallet and no wallet has the currency.
             * @example true
             */
            is_default: boolean;
            /**
             * Format: double
             * @description A debit that leaves less sends `wallet.low_balance`; null if none is set.
             * @example 50
             */
            low_balance_threshold: number | null;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-01-01T09:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-01-31T12:00:00.000Z
             */
            updated_at: string;
        };
        /**
         * WalletCreditedEvent
         * @description A wallet was credited.
         * @example {
         *       "id": "evt_961956faaa2740b3859e272e9c5b0f7a",
         *       "type": "wallet.credited",
         *       "created_at": "2026-11-26T12:33:39.812Z",
         *       "data": {
         *         "amount": "5.10",
         *         "remarks": "Refund of order 13: Sandbox eSIM",
         *         "currency": "USD",
         *         "ledger_id": 30,
         *         "wallet_id": 1,
         *         "order_family": "ESIM",
         *         "reference_number": "order-13"
         *       }
         *     }
         */
        WalletCreditedEvent: {
            /**
             * @description The id of the event, the same in every attempt.
             * @example evt_0f3c9a5e1b7d4f62a8c0d9e7b6a51234
             */
            id: string;
            /**
             * @description The type of the event.
             * @example wallet.credited
             * @enum {string}
             */
            type: "wallet.credited";
            /**
             * Format: date-time
             * @description When the event occurred.
             * @example 2026-01-31T12:00:00.123Z
             */
            created_at: string;
            data: components["schemas"]["WalletEntryData"];
        };
        /**
         * WalletDebitedEvent
         * @description A wallet was debited.
         * @example {
         *       "id": "evt_27775aab59cb4e3dab485b2258fc9c2f",
         *       "type": "wallet.debited",
         *       "created_at": "2026-11-26T12:33:39.981Z",
         *       "data": {
         *         "amount": "10.00",
         *         "remarks": "Order 14: Liberty Mobile",
         *         "currency": "USD",
         *         "ledger_id": 31,
         *         "wallet_id": 1,
         *         "order_family": "TOPUP",
         *         "reference_number": "order-14"
         *       }
         *     }
         */
        WalletDebitedEvent: {
            /**
             * @description The id of the event, the same in every attempt.
             * @example evt_0f3c9a5e1b7d4f62a8c0d9e7b6a51234
             */
            id: string;
            /**
             * @description The type of the event.
             * @example wallet.debited
             * @enum {string}
             */
            type: "wallet.debited";
            /**
             * Format: date-time
             * @description When the event occurred.
             * @example 2026-01-31T12:00:00.123Z
             */
            created_at: string;
            data: components["schemas"]["WalletEntryData"];
        };
        /**
         * WalletEntryData
         * @description The data of an event about a transaction.
         * @example {
         *       "amount": "5.10",
         *       "remarks": "Refund of order 13: Sandbox eSIM",
         *       "currency": "USD",
         *       "ledger_id": 30,
         *       "wallet_id": 1,
         *       "order_family": "ESIM",
         *       "reference_number": "order-13"
         *     }
         */
        WalletEntryData: {
            /**
             * Format: int64
             * @description The wallet.
             * @example 1
             */
            wallet_id: number;
            /**
             * Format: int64
             * @description The transaction.
             * @example 5021
             */
            ledger_id: number;
            /**
             * @description The amount, with the decimals of its currency.
             * @example 9.80
             */
            amount: string;
            /**
             * @description The wallet's currency.
             * @example USD
             */
            currency: string;
            /**
             * @description The reference of the entry: `order-<order id>` for an order's debit, automatic refund or redemption, `order-<order id>-r<n>` for a refund after delivery.
             * @example order-17
             */
            reference_number: string;
            /**
             * @description Its purpose.
             * @example Order 17: Harbour Coffee Gift Card
             */
            remarks: string;
            /**
             * @description The family of the order; omitted if the entry belongs to none.
             * @example VOUCHER
             * @enum {string}
             */
            order_family?: "VOUCHER" | "TOPUP" | "ESIM";
        };
        /**
         * WalletLowBalanceData
         * @description The data of an event about a low balance.
         * @example {
         *       "balance": "999940.50",
         *       "currency": "USD",
         *       "threshold": "999950.50",
         *       "wallet_id": 1,
         *       "order_family": "TOPUP"
         *     }
         */
        WalletLowBalanceData: {
            /**
             * Format: int64
             * @description The wallet.
             * @example 1
             */
            wallet_id: number;
            /**
             * @description The balance.
             * @example 49.20
             */
            balance: string;
            /**
             * @description The threshold.
             * @example 50.00
             */
            threshold: string;
            /**
             * @description The wallet's currency.
             * @example USD
             */
            currency: string;
            /**
             * @description The family of the order; omitted if the entry belongs to none.
             * @example VOUCHER
             * @enum {string}
             */
            order_family?: "VOUCHER" | "TOPUP" | "ESIM";
        };
        /**
         * WalletLowBalanceEvent
         * @description A debit left a wallet below its threshold.
         * @example {
         *       "id": "evt_f52543f855f74483b4558248791f2550",
         *       "type": "wallet.low_balance",
         *       "created_at": "2026-11-26T12:33:39.981Z",
         *       "data": {
         *         "balance": "999940.50",
         *         "currency": "USD",
         *         "threshold": "999950.50",
         *         "wallet_id": 1,
         *         "order_family": "TOPUP"
         *       }
         *     }
         */
        WalletLowBalanceEvent: {
            /**
             * @description The id of the event, the same in every attempt.
             * @example evt_0f3c9a5e1b7d4f62a8c0d9e7b6a51234
             */
            id: string;
            /**
             * @description The type of the event.
             * @example wallet.low_balance
             * @enum {string}
             */
            type: "wallet.low_balance";
            /**
             * Format: date-time
             * @description When the event occurred.
             * @example 2026-01-31T12:00:00.123Z
             */
            created_at: string;
            data: components["schemas"]["WalletLowBalanceData"];
        };
        /**
         * WebhookAttempt
         * @description One attempt.
         * @example {
         *       "endpoint_id": 1,
         *       "attempted_at": "2026-11-26T12:33:31.134Z",
         *       "duration_ms": 48,
         *       "success": true,
         *       "response_status": 204,
         *       "error": null
         *     }
         */
        WebhookAttempt: {
            /**
             * Format: int64
             * @description The endpoint.
             * @example 3
             */
            endpoint_id: number;
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-01-31T12:00:00.200Z
             */
            attempted_at: string;
            /**
             * Format: int64
             * @description How long it took.
             * @example 41
             */
            duration_ms: number;
            /**
             * @description Whether the response was 2xx.
             * @example true
             */
            success: boolean;
            /**
             * Format: int64
             * @description The status of the response; null without one.
             * @example 204
             */
            response_status: number | null;
            /**
             * @description Why there was no response; null with one.
             * @example null
             */
            error: string | null;
        };
        /**
         * WebhookDelivery
         * @description The delivery of an event to one endpoint.
         * @example {
         *       "endpoint_id": 1,
         *       "status": "DELIVERED",
         *       "tries": 1,
         *       "next_try_at": null
         *     }
         */
        WebhookDelivery: {
            /**
             * Format: int64
             * @description The endpoint.
             * @example 3
             */
            endpoint_id: number;
            /**
             * @description `FAILED`: given up. `SKIPPED`: skipped by an operator.
             * @example DELIVERED
             * @enum {string}
             */
            status: "PENDING" | "DELIVERED" | "FAILED" | "SKIPPED";
            /**
             * Format: int64
             * @description The number of attempts.
             * @example 1
             */
            tries: number;
            /**
             * Format: date-time
             * @description When the next attempt is due; null without one.
             * @example null
             */
            next_try_at: string | null;
        };
        /**
         * WebhookEndpoint
         * @description A URL that receives events.
         * @example {
         *       "id": 1,
         *       "url": "https://shop.example/hook",
         *       "description": "",
         *       "event_types": [
         *         "order.delivered",
         *         "order.failed"
         *       ],
         *       "enabled": true,
         *       "disabled_reason": null,
         *       "failing_since": null,
         *       "verified_at": "2026-11-26T12:33:28.222Z",
         *       "created_at": "2026-11-26T12:33:27.791Z",
         *       "updated_at": "2026-11-26T12:33:27.791Z"
         *     }
         */
        WebhookEndpoint: {
            /**
             * Format: int64
             * @description The endpoint.
             * @example 3
             */
            id: number;
            /**
             * @description Where events are posted.
             * @example https://shop.example/hook
             */
            url: string;
            /**
             * @description Your description; may be empty.
             * @example Shop
             */
            description: string;
            /**
             * @description The event types of the endpoint; empty means all except those of top-ups and `esim.usage`.
             * @example [
             *       "order.delivered",
             *       "order.failed"
             *     ]
             */
            event_types: components["schemas"]["EventType"][];
            /**
             * @description Whether events are sent to it.
             * @example true
             */
            enabled: boolean;
            /**
             * @description Why the service disabled the endpoint; null if it did not.
             * @example null
             * @enum {string|null}
             */
            disabled_reason: "FAILING" | "GONE" | null;
            /**
             * Format: date-time
             * @description The time of the first failed attempt since the last success; null while the endpoint works or no event waits.
             * @example null
             */
            failing_since: string | null;
            /**
             * Format: date-time
             * @description When the URL first responded to an event with 2xx; null before.
             * @example 2026-01-31T12:00:00.000Z
             */
            verified_at: string | null;
            /**
             * Format: date-time
             * @description When it was registered.
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-01-31T12:00:00.000Z
             */
            updated_at: string;
        };
        /**
         * WebhookEndpointChange
         * @example {
         *       "event_types": [
         *         "order.delivered",
         *         "order.failed",
         *         "esim.usage"
         *       ]
         *     }
         */
        WebhookEndpointChange: {
            /**
             * Format: uri
             * @description The URL that receives events: public, without credentials, at most 2,048 characters.
             * @example https://shop.example/hook
             */
            url?: string;
            /**
             * @description The event types of the endpoint; empty means all except those of top-ups and `esim.usage`.
             * @example [
             *       "order.delivered",
             *       "order.failed"
             *     ]
             */
            event_types?: components["schemas"]["EndpointEventType"][];
            /**
             * @description Your description.
             * @example Shop
             */
            description?: string;
            /**
             * @description Whether events are sent to it.
             * @example true
             */
            enabled?: boolean;
        };
        /**
         * WebhookEndpointRequest
         * @example {
         *       "url": "https://shop.example/hook",
         *       "event_types": [
         *         "order.delivered",
         *         "order.failed"
         *       ]
         *     }
         */
        WebhookEndpointRequest: {
            /**
             * Format: uri
             * @description The URL that receives events: public, without credentials, at most 2,048 characters.
             * @example https://shop.example/hook
             */
            url: string;
            /**
             * @description The event types of the endpoint; empty means all except those of top-ups and `esim.usage`.
             * @example [
             *       "order.delivered",
             *       "order.failed"
             *     ]
             */
            event_types?: components["schemas"]["EndpointEventType"][];
            /**
             * @description Your description.
             * @default
             * @example Shop
             */
            description?: string;
            /**
             * @description Whether events are sent to it.
             * @default true
             * @example true
             */
            enabled?: boolean;
        };
        /** @description An event. Its `type` determines its `data`. */
        WebhookEvent: components["schemas"]["OrderDeliveredEvent"] | components["schemas"]["OrderPartiallyDeliveredEvent"] | components["schemas"]["OrderFailedEvent"] | components["schemas"]["OrderCancelledEvent"] | components["schemas"]["TopupDeliveredEvent"] | components["schemas"]["TopupFailedEvent"] | components["schemas"]["TopupCancelledEvent"] | components["schemas"]["EsimDeliveredEvent"] | components["schemas"]["EsimFailedEvent"] | components["schemas"]["EsimCancelledEvent"] | components["schemas"]["OrderRefundedEvent"] | components["schemas"]["TopupRefundedEvent"] | components["schemas"]["EsimRefundedEvent"] | components["schemas"]["ClaimUpdatedEvent"] | components["schemas"]["EsimInstalledEvent"] | components["schemas"]["EsimActivatedEvent"] | components["schemas"]["EsimDepletedEvent"] | components["schemas"]["EsimUsageEvent"] | components["schemas"]["WalletCreditedEvent"] | components["schemas"]["WalletDebitedEvent"] | components["schemas"]["WalletLowBalanceEvent"] | components["schemas"]["WebhookTestEvent"];
        /**
         * WebhookEventDetail
         * @description An event with its deliveries and attempts.
         * @example {
         *       "id": "evt_263898a776b94e40ae5920e45e926b9e",
         *       "type": "order.delivered",
         *       "created_at": "2026-11-26T12:33:31.000Z",
         *       "data": {
         *         "id": 4,
         *         "amount": 10,
         *         "status": "DELIVERED",
         *         "quantity": 1,
         *         "created_at": "2026-11-26T12:33:30.693Z",
         *         "delivered_on": "2026-11-26T12:33:31.000Z",
         *         "denomination": 10,
         *         "product_name": "Sandbox Held Gift Card",
         *         "delivered_quantity": 1,
         *         "fulfilled_quantity": 1
         *       },
         *       "deliveries": [
         *         {
         *           "endpoint_id": 1,
         *           "status": "DELIVERED",
         *           "tries": 1,
         *           "next_try_at": null
         *         }
         *       ],
         *       "attempts": [
         *         {
         *           "endpoint_id": 1,
         *           "attempted_at": "2026-11-26T12:33:31.134Z",
         *           "duration_ms": 48,
         *           "success": true,
         *           "response_status": 204,
         *           "error": null
         *         }
         *       ]
         *     }
         */
        WebhookEventDetail: {
            /**
             * @description The id of the event, the same in every attempt.
             * @example evt_0f3c9a5e1b7d4f62a8c0d9e7b6a51234
             */
            id: string;
            type: components["schemas"]["EventType"];
            /**
             * Format: date-time
             * @description When the event occurred.
             * @example 2026-01-31T12:00:00.123Z
             */
            created_at: string;
            /** @description The data as sent. The event's `type` determines its schema: see the webhook of that type. */
            data: components["schemas"]["OrderDeliveredData"] | components["schemas"]["OrderPartiallyDeliveredData"] | components["schemas"]["OrderFailedData"] | components["schemas"]["OrderCancelledData"] | components["schemas"]["TopupDeliveredData"] | components["schemas"]["TopupFailedData"] | components["schemas"]["TopupCancelledData"] | components["schemas"]["EsimDeliveredData"] | components["schemas"]["EsimFailedData"] | components["schemas"]["EsimCancelledData"] | components["schemas"]["OrderRefundedData"] | components["schemas"]["TopupRefundedData"] | components["schemas"]["EsimRefundedData"] | components["schemas"]["ClaimUpdatedData"] | components["schemas"]["EsimInstalledData"] | components["schemas"]["EsimActivatedData"] | components["schemas"]["EsimDepletedData"] | components["schemas"]["EsimUsageData"] | components["schemas"]["WalletEntryData"] | components["schemas"]["WalletLowBalanceData"] | components["schemas"]["WebhookTestData"];
            /** @description The delivery to each endpoint that takes the event. */
            deliveries: components["schemas"]["WebhookDelivery"][];
            /** @description The newest 100, newest first. */
            attempts: components["schemas"]["WebhookAttempt"][];
        };
        /**
         * WebhookResend
         * @description An event that a redelivery or a replay sent again.
         * @example {
         *       "id": 1,
         *       "requested_at": "2026-11-26T12:33:31.764Z",
         *       "event": {
         *         "id": "evt_263898a776b94e40ae5920e45e926b9e",
         *         "type": "order.delivered",
         *         "created_at": "2026-11-26T12:33:31.000Z",
         *         "data": {
         *           "id": 4,
         *           "amount": 10,
         *           "status": "DELIVERED",
         *           "quantity": 1,
         *           "created_at": "2026-11-26T12:33:30.693Z",
         *           "delivered_on": "2026-11-26T12:33:31.000Z",
         *           "denomination": 10,
         *           "product_name": "Sandbox Held Gift Card",
         *           "delivered_quantity": 1,
         *           "fulfilled_quantity": 1
         *         }
         *       }
         *     }
         */
        WebhookResend: {
            /**
             * Format: int64
             * @description The id of the request for this event.
             * @example 7
             */
            id: number;
            /**
             * Format: date-time
             * @description When it was requested.
             * @example 2026-01-31T12:00:00.000Z
             */
            requested_at: string;
            event: components["schemas"]["WebhookEvent"];
        };
        /**
         * WebhookSecret
         * @description The secret that signs the events of an endpoint.
         * @example {
         *       "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
         *       "previous_secret_valid_until": null
         *     }
         */
        WebhookSecret: {
            /**
             * @description The key of the signatures. Keep it secret.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
             */
            secret: string;
            /**
             * Format: date-time
             * @description Until when previous secrets also sign; null if none does.
             * @example null
             */
            previous_secret_valid_until: string | null;
        };
        /**
         * WebhookTestData
         * @description The data of a test event.
         * @example {
         *       "endpoint_id": 1
         *     }
         */
        WebhookTestData: {
            /**
             * Format: int64
             * @description The endpoint.
             * @example 3
             */
            endpoint_id: number;
        };
        /**
         * WebhookTestEvent
         * @description A test event, sent on request and once to each new URL.
         * @example {
         *       "id": "evt_904acef96ba7409c884da8b75aaa7553",
         *       "type": "webhook.test",
         *       "created_at": "2026-11-26T12:33:28.393Z",
         *       "data": {
         *         "endpoint_id": 1
         *       }
         *     }
         */
        WebhookTestEvent: {
            /**
             * @description The id of the event, the same in every attempt.
             * @example evt_0f3c9a5e1b7d4f62a8c0d9e7b6a51234
             */
            id: string;
            /**
             * @description The type of the event.
             * @example webhook.test
             * @enum {string}
             */
            type: "webhook.test";
            /**
             * Format: date-time
             * @description When the event occurred.
             * @example 2026-01-31T12:00:00.123Z
             */
            created_at: string;
            data: components["schemas"]["WebhookTestData"];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listVoucherProducts: {
        parameters: {
            query?: {
                /** @description The page number, from 1. */
                page?: number;
                /**
                 * @description Items per page. Default: 10. The list also calls it `per_page`.
                 * @example 2
                 */
                limit?: number;
                /** @description The exact name of a category. */
                category?: string;
                /** @description The id of a country. */
                country_id?: number;
                /** @description The id of a currency. */
                currency_id?: number;
                /**
                 * @description In the name, case ignored.
                 * @example harbour
                 */
                search?: string;
                /** @description The field to sort by. */
                sort_by?: "name" | "category";
                /** @description The sort direction. */
                sort_dir?: "asc" | "desc";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The products, by default sorted by name. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VoucherProduct"][];
                };
            };
        };
    };
    getVoucherProduct: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The product.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The gift card with its texts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VoucherProductDetail"];
                };
            };
        };
    };
    getVoucherCharges: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The product.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VoucherChargesRequest"];
            };
        };
        responses: {
            /** @description The price and its parts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VoucherCharges"];
                };
            };
        };
    };
    listVoucherOrders: {
        parameters: {
            query?: {
                /** @description The page number, from 1. */
                page?: number;
                /**
                 * @description Items per page. Default: 50. The list also calls it `per_page`.
                 * @example 2
                 */
                limit?: number;
                /** @description Only orders in this state. */
                status?: "PENDING" | "PARTIALLY_DELIVERED" | "DELIVERED" | "FAILED" | "CANCELLED";
                /** @description Only the order with this reference. */
                client_reference?: string;
                /** @description Only orders that were placed at this time or later. */
                placed_after?: string;
                /** @description Only orders that were placed before this time. */
                placed_before?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VoucherOrderItem"][];
                };
            };
        };
    };
    createVoucherOrder: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique key for this request. If you repeat the request with the key, it returns the first order. */
                "Idempotency-Key"?: string;
                /** @description Only in a sandbox: the failure of the first request with this `client_reference` or `Idempotency-Key`. Its repetition is answered normally. Production ignores the header. */
                "Sandbox-Fault"?: "429" | "503" | "504-placed" | "504-not-placed" | "timeout" | "reset";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VoucherOrderRequest"];
            };
        };
        responses: {
            /** @description The order in its current state: branch on `status`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedVoucherOrder"];
                };
            };
        };
    };
    getVoucherOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The order.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The order in its current state. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VoucherOrder"];
                };
            };
        };
    };
    listVoucherRefunds: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The order.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every credited refund, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderRefund"][];
                };
            };
        };
    };
    fileVoucherClaim: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The order.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VoucherClaimRequest"];
            };
        };
        responses: {
            /** @description The open claim about the same goods. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Claim"];
                };
            };
            /** @description The claim. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Claim"];
                };
            };
        };
    };
    setVoucherOrderEmail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The order.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NotificationEmail"];
            };
        };
        responses: {
            /** @description The address is attached. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true.
                         * @example true
                         */
                        success: boolean;
                        /**
                         * @description The result.
                         * @example Notification email updated
                         */
                        message: string;
                    };
                };
            };
        };
    };
    listTopupProducts: {
        parameters: {
            query?: {
                /** @description The page number, from 1. */
                page?: number;
                /**
                 * @description Items per page. Default: 50. The list also calls it `limit`.
                 * @example 2
                 */
                per_page?: number;
                /** @description Only products of this type. */
                type?: "GAMING" | "MOBILE" | "UTILITY";
                /**
                 * @description In the name, case ignored.
                 * @example liberty
                 */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The products, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TopupProduct"][];
                };
            };
        };
    };
    getTopupProduct: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The product.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The product. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TopupProductDetail"];
                };
            };
        };
    };
    listTopupVariants: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The product.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All variants of the product. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TopupVariant"][];
                };
            };
        };
    };
    getTopupVariant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The variant.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The variant. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TopupVariant"];
                };
            };
        };
    };
    getTopupCharges: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TopupChargesRequest"];
            };
        };
        responses: {
            /** @description The price and its parts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Charges"];
                };
            };
        };
    };
    lookUpMobileNumber: {
        parameters: {
            query: {
                /**
                 * @description A number in international form, with `+`, `00` or nothing before the country code.
                 * @example +12025550100
                 */
                number: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The number and its products. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MobileLookup"];
                };
            };
        };
    };
    listTopupOrders: {
        parameters: {
            query?: {
                /** @description The page number, from 1. */
                page?: number;
                /**
                 * @description Items per page. Default: 50. The list also calls it `limit`.
                 * @example 2
                 */
                per_page?: number;
                /** @description Only orders in this state. */
                status?: "PENDING" | "DELIVERED" | "FAILED" | "CANCELLED" | "RECHARGED";
                /** @description Only orders of this product. */
                product_id?: number;
                /** @description Only orders of products of this country (ISO 3166-1 alpha-3, or `GLO`). */
                country?: string;
                /** @description Only the order with this reference. */
                client_reference?: string;
                /** @description Only orders that were placed at this time or later. */
                placed_after?: string;
                /** @description Only orders that were placed before this time. */
                placed_before?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TopupOrderItem"][];
                };
            };
        };
    };
    createTopupOrder: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique key for this request. If you repeat the request with the key, it returns the first order. */
                "Idempotency-Key"?: string;
                /** @description Only in a sandbox: the failure of the first request with this `client_reference` or `Idempotency-Key`. Its repetition is answered normally. Production ignores the header. */
                "Sandbox-Fault"?: "429" | "503" | "504-placed" | "504-not-placed" | "timeout" | "reset";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TopupOrderRequest"];
            };
        };
        responses: {
            /** @description The order in its current state: branch on `status`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TopupOrder"];
                };
            };
        };
    };
    getTopupOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The order.
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The order in its current state. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TopupOrder"];
                };
            };
        };
    };
    listTopupRefunds: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The order.
                 * @example 6
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every credited refund, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderRefund"][];
                };
            };
        };
    };
    fileTopupClaim: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The order.
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TopupClaimRequest"];
            };
        };
        responses: {
            /** @description The open claim about the same goods. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Claim"];
                };
            };
            /** @description The claim. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Claim"];
                };
            };
        };
    };
    setTopupOrderEmail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The order.
                 * @example 8
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NotificationEmail"];
            };
        };
        responses: {
            /** @description The address is attached. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true.
                         * @example true
                         */
                        success: boolean;
                        /**
                         * @description The result.
                         * @example Notification email updated
                         */
                        message: string;
                    };
                };
            };
        };
    };
    listEsimProducts: {
        parameters: {
            query?: {
                /** @description The page number, from 1. */
                page?: number;
                /**
                 * @description Items per page. Default: 50. The list also calls it `limit`.
                 * @example 2
                 */
                per_page?: number;
                /** @description ISO 3166-1 alpha-3, or `GLO`. */
                country_code?: string;
                /**
                 * @description In the name, case ignored.
                 * @example sandbox
                 */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The products, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EsimProduct"][];
                };
            };
        };
    };
    getEsimProduct: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The product.
                 * @example 5
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The product. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EsimProductDetail"];
                };
            };
        };
    };
    listEsimVariants: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The product.
                 * @example 5
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All variants of the product. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EsimVariant"][];
                };
            };
        };
    };
    getEsimVariant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The variant.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The variant. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EsimVariantDetail"];
                };
            };
        };
    };
    getEsimCharges: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EsimChargesRequest"];
            };
        };
        responses: {
            /** @description The price and its parts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Charges"];
                };
            };
        };
    };
    listEsimOrders: {
        parameters: {
            query?: {
                /** @description The page number, from 1. */
                page?: number;
                /**
                 * @description Items per page. Default: 50. The list also calls it `limit`.
                 * @example 2
                 */
                per_page?: number;
                /** @description Only orders in this state. */
                status?: "PENDING" | "DELIVERED" | "FAILED" | "CANCELLED";
                /** @description Only the order with this reference. */
                client_reference?: string;
                /** @description Only orders that were placed at this time or later. */
                placed_after?: string;
                /** @description Only orders that were placed before this time. */
                placed_before?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EsimOrderItem"][];
                };
            };
        };
    };
    createEsimOrder: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique key for this request. If you repeat the request with the key, it returns the first order. */
                "Idempotency-Key"?: string;
                /** @description Only in a sandbox: the failure of the first request with this `client_reference` or `Idempotency-Key`. Its repetition is answered normally. Production ignores the header. */
                "Sandbox-Fault"?: "429" | "503" | "504-placed" | "504-not-placed" | "timeout" | "reset";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EsimOrderRequest"];
            };
        };
        responses: {
            /** @description The order in its current state: branch on `status`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EsimOrder"];
                };
            };
        };
    };
    getEsimOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The order.
                 * @example 10
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The order in its current state. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EsimOrder"];
                };
            };
        };
    };
    listEsimRefunds: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The order.
                 * @example 9
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every credited refund, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderRefund"][];
                };
            };
        };
    };
    fileEsimClaim: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The order.
                 * @example 10
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EsimClaimRequest"];
            };
        };
        responses: {
            /** @description The open claim about the same goods. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Claim"];
                };
            };
            /** @description The claim. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Claim"];
                };
            };
        };
    };
    setEsimOrderEmail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The order.
                 * @example 13
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NotificationEmail"];
            };
        };
        responses: {
            /** @description The address is attached. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true.
                         * @example true
                         */
                        success: boolean;
                        /**
                         * @description The result.
                         * @example Notification email updated
                         */
                        message: string;
                    };
                };
            };
        };
    };
    getEsimUsage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The order.
                 * @example 10
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The usage as its supplier last reported it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EsimUsage"];
                };
            };
        };
    };
    getEsimInstallation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The order.
                 * @example 10
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Links and steps, each with the activation code. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EsimInstallation"];
                };
            };
        };
    };
    listClaims: {
        parameters: {
            query?: {
                /** @description The page number, from 1. */
                page?: number;
                /**
                 * @description Items per page. Default: 50. The list also calls it `limit`.
                 * @example 2
                 */
                per_page?: number;
                /** @description Only claims in this state. */
                state?: "OPEN" | "AT_SUPPLIER" | "ACCEPTED" | "REJECTED";
                /** @description Only claims about this order. */
                order_id?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Claim"][];
                };
            };
        };
    };
    getClaim: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The claim.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The claim. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Claim"];
                };
            };
        };
    };
    listWallets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All wallets, the default first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Wallet"][];
                };
            };
        };
    };
    getWallet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The wallet.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The wallet. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Wallet"];
                };
            };
        };
    };
    setLowBalanceThreshold: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The wallet.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LowBalanceThreshold"];
            };
        };
        responses: {
            /** @description The updated wallet. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Wallet"];
                };
            };
        };
    };
    getWalletStatement: {
        parameters: {
            query: {
                /**
                 * @description The start of the period: a day, or a time with its offset.
                 * @example 2026-11-26
                 */
                from: string;
                /**
                 * @description The exclusive end of the period: a day, or a time with its offset, at most 366 days later.
                 * @example 2026-11-27
                 */
                to: string;
            };
            header?: never;
            path: {
                /**
                 * @description The wallet.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The statement. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
        };
    };
    listTransactions: {
        parameters: {
            query?: {
                /** @description The page number, from 1. */
                page?: number;
                /**
                 * @description Items per page. Default: 50. The list also calls it `per_page`.
                 * @example 2
                 */
                limit?: number;
                /** @description Only entries of this wallet. */
                wallet_id?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transaction"][];
                };
            };
        };
    };
    getTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The transaction.
                 * @example 12
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The transaction. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transaction"];
                };
            };
        };
    };
    getOrdersStatement: {
        parameters: {
            query: {
                /**
                 * @description The start of the period: a day, or a time with its offset.
                 * @example 2026-11-26
                 */
                from: string;
                /**
                 * @description The exclusive end of the period: a day, or a time with its offset, at most 366 days later.
                 * @example 2026-11-27
                 */
                to: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The statement. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /** @description The page number, from 1. */
                page?: number;
                /**
                 * @description Items per page. Default: 50. The list also calls it `limit`.
                 * @example 2
                 */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first, ended ones included. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"][];
                };
            };
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiKeyRequest"];
            };
        };
        responses: {
            /** @description The key and its secret. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedApiKey"];
                };
            };
        };
    };
    rollApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The key.
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ApiKeyRoll"];
            };
        };
        responses: {
            /** @description The new key and its secret. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedApiKey"];
                };
            };
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The key.
                 * @example 8
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The revoked key. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
        };
    };
    getAllowedNetworks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The networks. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AllowedNetworks"];
                };
            };
        };
    };
    setAllowedNetworks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AllowedNetworksRequest"];
            };
        };
        responses: {
            /** @description The networks. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AllowedNetworks"];
                };
            };
        };
    };
    listActivity: {
        parameters: {
            query?: {
                /** @description The page number, from 1. */
                page?: number;
                /**
                 * @description Items per page. Default: 50. The list also calls it `limit`.
                 * @example 2
                 */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Activity"][];
                };
            };
        };
    };
    listMembers: {
        parameters: {
            query?: {
                /** @description The page number, from 1. */
                page?: number;
                /**
                 * @description Items per page. Default: 50. The list also calls it `limit`.
                 * @example 2
                 */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first. Removed members are absent. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"][];
                };
            };
        };
    };
    inviteMember: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MemberRequest"];
            };
        };
        responses: {
            /** @description The invited member. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
        };
    };
    removeMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The member.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The member is removed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    changeMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The member.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MemberChange"];
            };
        };
        responses: {
            /** @description The changed member. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
        };
    };
    eraseRecipient: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecipientErasureRequest"];
            };
        };
        responses: {
            /** @description The number of your orders for the recipient. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecipientErasure"];
                };
            };
        };
    };
    listCountries: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All of them, by name. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Country"][];
                };
            };
        };
    };
    getCountry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The country.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The country. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Country"];
                };
            };
        };
    };
    listCurrencies: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All of them, by code. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Currency"][];
                };
            };
        };
    };
    listCategories: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All of them, by name. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Category"][];
                };
            };
        };
    };
    getCategory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The category.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The category. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Category"];
                };
            };
        };
    };
    listSubcategories: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All of them, by name. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subcategory"][];
                };
            };
        };
    };
    getSubcategory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The subcategory.
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The subcategory. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subcategory"];
                };
            };
        };
    };
    listWebhookEndpoints: {
        parameters: {
            query?: {
                /** @description The page number, from 1. */
                page?: number;
                /**
                 * @description Items per page. Default: 50. The list also calls it `limit`.
                 * @example 2
                 */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"][];
                };
            };
        };
    };
    createWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEndpointRequest"];
            };
        };
        responses: {
            /** @description The endpoint and its secret. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedWebhookEndpoint"];
                };
            };
        };
    };
    getWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The endpoint.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
        };
    };
    deleteWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The endpoint.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    changeWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The endpoint.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEndpointChange"];
            };
        };
        responses: {
            /** @description The updated endpoint. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
        };
    };
    getWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The endpoint.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSecret"];
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The endpoint.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The new secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSecret"];
                };
            };
        };
    };
    testWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The endpoint.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event that is being sent. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEvent"];
                };
            };
        };
    };
    replayWebhookEvents: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The endpoint.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplayRequest"];
            };
        };
        responses: {
            /** @description The replay has started. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: int64
                         * @description The number of events.
                         * @example 12
                         */
                        events: number;
                    };
                };
            };
        };
    };
    listWebhookEvents: {
        parameters: {
            query?: {
                /** @description The page number, from 1. */
                page?: number;
                /**
                 * @description Items per page. Default: 50. The list also calls it `limit`.
                 * @example 2
                 */
                per_page?: number;
                /**
                 * @description Only events of this type.
                 * @example order.delivered
                 */
                type?: "order.delivered" | "order.partially_delivered" | "order.failed" | "order.cancelled" | "topup.delivered" | "topup.failed" | "topup.cancelled" | "esim.delivered" | "esim.failed" | "esim.cancelled" | "order.refunded" | "topup.refunded" | "esim.refunded" | "claim.updated" | "esim.installed" | "esim.activated" | "esim.depleted" | "esim.usage" | "wallet.credited" | "wallet.debited" | "wallet.low_balance" | "webhook.test";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events as sent, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEvent"][];
                };
            };
        };
    };
    getWebhookEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the event, the same in every attempt.
                 * @example evt_263898a776b94e40ae5920e45e926b9e
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEventDetail"];
                };
            };
        };
    };
    listWebhookResends: {
        parameters: {
            query: {
                /** @description The page number, from 1. */
                page?: number;
                /**
                 * @description Items per page. Default: 50. The list also calls it `limit`.
                 * @example 2
                 */
                per_page?: number;
                /**
                 * @description Only events that were sent again at this time or later.
                 * @example 2026-01-31T00:00:00Z
                 */
                since: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events, the newest request first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookResend"][];
                };
            };
        };
    };
    redeliverWebhookEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the event, the same in every attempt.
                 * @example evt_263898a776b94e40ae5920e45e926b9e
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event is being sent. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The id of the event, the same in every attempt.
                         * @example evt_0f3c9a5e1b7d4f62a8c0d9e7b6a51234
                         */
                        event_id: string;
                        /** @description The endpoints that receive it. */
                        endpoint_ids: number[];
                    };
                };
            };
        };
    };
    listSandboxScenarios: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All of them. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxScenario"][];
                };
            };
        };
    };
    fundSandboxWallet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The wallet.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SandboxFunds"];
            };
        };
        responses: {
            /** @description The updated wallet. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Wallet"];
                };
            };
        };
    };
    installSandboxEsim: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The order.
                 * @example 10
                 */
                order_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The updated order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EsimOrder"];
                };
            };
        };
    };
    useSandboxEsim: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The order.
                 * @example 10
                 */
                order_id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SandboxEsimUse"];
            };
        };
        responses: {
            /** @description The updated order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EsimOrder"];
                };
            };
        };
    };
    depleteSandboxEsim: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The order.
                 * @example 10
                 */
                order_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The updated order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EsimOrder"];
                };
            };
        };
    };
    expireSandboxEsim: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The order.
                 * @example 11
                 */
                order_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The updated order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EsimOrder"];
                };
            };
        };
    };
    cancelSandboxOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The order.
                 * @example 3
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The updated order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VoucherOrder"] | components["schemas"]["TopupOrder"] | components["schemas"]["EsimOrder"];
                };
            };
        };
    };
    releaseSandboxOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The order.
                 * @example 4
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The updated order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VoucherOrder"] | components["schemas"]["TopupOrder"] | components["schemas"]["EsimOrder"];
                };
            };
        };
    };
    refundSandboxClaim: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The claim.
                 * @example 4
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The decided claim. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Claim"];
                };
            };
        };
    };
    replaceSandboxClaim: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The claim.
                 * @example 5
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The decided claim. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Claim"];
                };
            };
        };
    };
    rejectSandboxClaim: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The claim.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The decided claim. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Claim"];
                };
            };
        };
    };
}
