// Places and reads one order of each family with the generated client. Prints what it read as JSON.
package main

import (
	"context"
	"encoding/json"
	"log"
	"os"

	"orders/dgo"
)

type order struct {
	ID            int64   `json:"id"`
	Status        string  `json:"status"`
	ChargedAmount float64 `json:"charged_amount"`
}

type result struct {
	Balance   float64          `json:"balance"`
	Orders    map[string]order `json:"orders"`
	HasEvents bool             `json:"has_events"`
}

func main() {
	var bodies struct {
		Voucher dgo.VoucherOrderRequest `json:"voucher"`
		Topup   dgo.TopupOrderRequest   `json:"topup"`
		Esim    dgo.EsimOrderRequest    `json:"esim"`
	}
	check(json.Unmarshal([]byte(os.Getenv("BODIES")), &bodies))

	config := dgo.NewConfiguration()
	config.Servers = dgo.ServerConfigurations{{URL: os.Getenv("API")}}
	api := dgo.NewAPIClient(config)

	login := dgo.NewLoginRequest(os.Getenv("KEY"), os.Getenv("SECRET"))
	session, _, err := api.AuthenticationAPI.Login(context.Background()).LoginRequest(*login).Execute()
	check(err)
	ctx := context.WithValue(context.Background(), dgo.ContextAccessToken, session.Data.AccessToken)

	wallets, _, err := api.WalletsAPI.ListWallets(ctx).Execute()
	check(err)
	read := result{Balance: wallets[0].Balance, Orders: map[string]order{}}

	voucher, _, err := api.VouchersAPI.CreateVoucherOrder(ctx).VoucherOrderRequest(bodies.Voucher).Execute()
	check(err)
	voucherRead, _, err := api.VouchersAPI.GetVoucherOrder(ctx, voucher.Id).Execute()
	check(err)
	read.Orders["voucher"] = order{voucherRead.Id, string(voucherRead.Status), voucherRead.ChargedAmount}

	topup, _, err := api.TopUpsAPI.CreateTopupOrder(ctx).TopupOrderRequest(bodies.Topup).Execute()
	check(err)
	topupRead, _, err := api.TopUpsAPI.GetTopupOrder(ctx, topup.Id).Execute()
	check(err)
	read.Orders["topup"] = order{topupRead.Id, string(topupRead.Status), topupRead.ChargedAmount}

	esim, _, err := api.ESIMAPI.CreateEsimOrder(ctx).EsimOrderRequest(bodies.Esim).Execute()
	check(err)
	esimRead, _, err := api.ESIMAPI.GetEsimOrder(ctx, esim.Id).Execute()
	check(err)
	read.Orders["esim"] = order{esimRead.Id, string(esimRead.Status), esimRead.ChargedAmount}

	events, _, err := api.WebhookEventsAPI.ListWebhookEvents(ctx).Execute()
	check(err)
	read.HasEvents = len(events) > 0

	check(json.NewEncoder(os.Stdout).Encode(read))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
